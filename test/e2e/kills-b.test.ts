import { describeKills } from '../support/kills.ts';

describeKills([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
