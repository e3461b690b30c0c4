/** What jobs see of a run: the input of `step`. Plain data, so that a writer who was overtaken can step again. */

import type { Checklist } from '../check/check.ts';
import type { Exit, Started } from '../host/launch.ts';
import type { LossReason } from '../host/log.ts';
import type { Pid, StackDump } from '../host/process.ts';
import type { Sample } from '../host/sample.ts';
import type { LogEvent } from '../log/events.ts';
import type { Motion } from '../pulse/evidence.ts';
import type { Pace } from '../pulse/pace.ts';
import type { KeptRecord, Verification } from '../verify/verification.ts';
import type { DiskLook } from '../vitals/disks.ts';
import type { Beat } from '../vitals/vitals.ts';
import type { Placement, Taken, Waiting } from './holder.ts';
import type { Readiness, StopProof, Unasked } from './run.ts';
import type { HostClock } from './stamp.ts';

export type Observation = {
  /** Host time where the host said it, else ours; ms. */
  readonly at: number;
  /** Our clock, ms. */
  readonly seen: number;
} & (
  | { readonly kind: 'checking' }
  /** What the preflight found; a refusal that nobody overrides comes as `refused`. */
  | { readonly kind: 'checked'; readonly checks: Checklist }
  /** Where it stands in the line, and what it waits for. */
  | { readonly kind: 'waiting'; readonly waiting: Waiting }
  /** It has what it needs, for itself alone: its turn has come, where it stood in the line. */
  | { readonly kind: 'placed'; readonly placement: Placement | null }
  /** Others came to its GPUs before it could start: it lets go of all it has and waits again. */
  | { readonly kind: 'turn_lost'; readonly taken: Taken }
  /** The next thing is the launch on the host. */
  | { readonly kind: 'attempting' }
  | { readonly kind: 'launched'; readonly started: Started }
  /** Nothing was started and nothing will be. */
  | { readonly kind: 'refused'; readonly reason: string; readonly taken?: Taken; readonly checks?: Checklist }
  | {
      readonly kind: 'log';
      readonly source: 'main' | 'target';
      readonly events: readonly LogEvent[];
      readonly clock: HostClock;
      /** It is nothing but lines by which a process says that it waits: no sign that it moves. */
      readonly saysOnlyThatItWaits?: boolean;
      /** It stood in the log before the run was found: history, not news. */
      readonly isOld: boolean;
    }
  /** A look at a training's target server: who writes its log, who of them runs, and whether it answers (null: not asked). */
  | {
      readonly kind: 'target';
      readonly pids: readonly Pid[];
      readonly running: readonly Pid[];
      /** Its log has text, and nobody has it open for writing. */
      readonly isDeserted: boolean;
      readonly answers: boolean | null;
    }
  | { readonly kind: 'gap'; readonly source: 'main' | 'target'; readonly why: LossReason }
  | { readonly kind: 'sample'; readonly sample: Sample }
  /** How earlier starts of the recipe went on the host. */
  | { readonly kind: 'paced'; readonly pace: Pace }
  /** Two looks at the run, compared. */
  | { readonly kind: 'motion'; readonly motion: Motion }
  /** What `wantsStacks` asked for; empty where it couldn't be had. */
  | { readonly kind: 'stacks'; readonly stacks: readonly StackDump[] }
  /** The process is gone and its log is read to the end; `exit` null where it can't be seen. */
  | { readonly kind: 'exited'; readonly exit: Exit | null; readonly tail: readonly string[] }
  /** The host answers, and neither process nor exit record exists. */
  | { readonly kind: 'vanished'; readonly why: string }
  /** The server answers /health; its proof and its completion are being looked at. */
  | { readonly kind: 'answering' }
  /** It completed a prompt, or it can't be asked to: it is ready, and this is how well it does. Later ones were asked for. */
  | {
      readonly kind: 'verified';
      readonly readiness: Readiness;
      readonly verification: Verification;
      /** What the recipe's record on this host becomes with it; missing: it stays as it is. */
      readonly record?: KeptRecord;
      /** Id of the question that it answers; missing: it came after the start. */
      readonly question?: string;
    }
  /** It answers and completes nothing. */
  | { readonly kind: 'unusable'; readonly verification: Verification }
  /** It is up as far as anybody can know: nobody can ask it. */
  | { readonly kind: 'unverified'; readonly why: Unasked }
  /** A look at a ready server. */
  | {
      readonly kind: 'beat';
      readonly beat: Beat;
      /** Between two changes of the load that a card shows (ms), and the recipe's least mean acceptance length. */
      readonly loadMs: number;
      readonly acceptanceFloor: number | null;
    }
  /** A look at the file systems that it writes to. */
  | { readonly kind: 'disks'; readonly disks: readonly DiskLook[] }
  | { readonly kind: 'out_of_contact'; readonly why: string }
  | { readonly kind: 'back_in_contact'; readonly silentMs: number }
  | { readonly kind: 'stop_asked'; readonly by: string; readonly confirmed: readonly Pid[] | null }
  /** The next thing is the first signal of the stop: it is given once. */
  | { readonly kind: 'stop_signalled' }
  /** Who asked has lost the right since: the run goes on. */
  | { readonly kind: 'stop_refused'; readonly reason: string }
  | { readonly kind: 'stop_done'; readonly proof: StopProof }
  /** Another run takes its place; told of one that has ended, too. */
  | { readonly kind: 'restarted'; readonly as: { readonly run: string; readonly name: string } }
  /** Somebody wants its log as a file, of one that has ended, too; `trigger`: Slack's trigger_id. */
  | { readonly kind: 'log_asked'; readonly by: string; readonly trigger: string }
  | { readonly kind: 'notice'; readonly text: string }
);
