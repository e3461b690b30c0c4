/** What a Web API method is, and what it may touch. */
import { z } from 'zod';
import type { Files } from '../files.ts';
import { describe } from '../schema-faults.ts';
import type { Triggers } from '../triggers.ts';
import type { Views } from '../views.ts';
import type { Workspace } from '../workspace.ts';

/** {ok: false, error} with the fields that go with it. */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

/** invalid_arguments, with what is wrong. */
export function invalidArguments(details: readonly string[]): SlackError {
  const messages = details.map((detail) => `[ERROR] ${detail}`);
  return new SlackError('invalid_arguments', { response_metadata: { messages } });
}

/** What a method may touch. */
export interface Scene {
  readonly workspace: Workspace;
  /** http://127.0.0.1:PORT */
  readonly origin: string;
  /** Types of blocks that this workspace doesn't know. */
  readonly refuses: readonly string[];
  readonly files: Files;
  readonly triggers: Triggers;
  /** Modals as people have them open. */
  readonly dialogs: Views;
  /** Every call of views.*. */
  readonly views: StoredView[];
  /** A URL for one Socket Mode connection. */
  openSocket(): string;
  nextId(): string;
}

export interface StoredView {
  readonly id: string;
  readonly method: 'views.open' | 'views.push' | 'views.update' | 'views.publish';
  readonly user: string;
  readonly view: Readonly<Record<string, unknown>>;
}

export interface Method {
  readonly token: 'bot' | 'app';
  run(args: Readonly<Record<string, string>>, scene: Scene): Record<string, unknown>;
}

/** A method whose arguments are checked first; a wrong one is answered with invalid_arguments, as Slack does. */
export function defineMethod<Shape extends z.ZodRawShape>(definition: {
  token?: 'bot' | 'app';
  args: Shape;
  run(args: z.output<z.ZodObject<Shape>>, scene: Scene): Record<string, unknown>;
}): Method {
  const schema = z.object(definition.args);
  return {
    token: definition.token ?? 'bot',
    run(raw, scene) {
      const parsed = schema.safeParse(raw);
      if (parsed.success) return definition.run(parsed.data, scene);
      throw invalidArguments(parsed.error.issues.map((issue) => describe(issue, [])));
    },
  };
}
