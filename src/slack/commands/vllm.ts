import type { SlashCommand } from './define.ts';
import { defineHelp } from './help.ts';
import { launch } from './launch.ts';
import { logs } from './logs.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

const verbs = [launch, status, stop, logs];

/** `/vllm`: what it understands. slack-manifest.yaml and docs/commands.md follow it (tests look). */
const vllm: SlashCommand = {
  name: '/vllm',
  description: 'Launch and watch vLLM servers',
  usageHint: 'launch HOST RECIPE | status [RUN] | stop RUN | logs RUN | help',
  verbs: [...verbs, defineHelp('/vllm', verbs)],
};

/** All slash commands of the app. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [vllm];
