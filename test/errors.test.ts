import { expect, test } from 'vitest';
import { CommandFailed, HostRefused, HostUnreachable } from '../src/errors.ts';
import { SAMPLES } from './support/secrets.ts';

test.each(SAMPLES)('what a host says of $shape is told without it', ({ secret, line }) => {
  const errors = [
    new HostUnreachable('kpro5', `the connection broke: ${line}`),
    new HostRefused('kpro5', `the prelude said: ${line}`),
    new CommandFailed({ host: 'kpro5', script: 'launch', exitCode: 1, stderr: `first\n${line}\n` }),
  ];
  for (const { message } of errors) {
    expect(message).not.toContain(secret);
    expect(message).toContain('[masked]');
  }
});
