/**
 * Loaded before each test file: what a test began ends with it, what a file made goes with it. Files that follow each other in a process share
 * its modules, so that hooks of a module that they import would be the first one's alone.
 */

import { afterAll, afterEach } from 'vitest';
import { removeFolders } from './folder.ts';
import { endBegun } from './processes.ts';

afterEach(endBegun);
afterAll(removeFolders);
