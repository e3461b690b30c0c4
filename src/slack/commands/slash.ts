import type { SlashCommand } from './define.ts';
import { dflash } from './dflash.ts';
import { vllm } from './vllm.ts';

/** All slash commands of the app. slack-manifest.yaml and docs/commands.md follow them (tests look). */
export const SLASH_COMMANDS: readonly SlashCommand[] = [vllm, dflash];
