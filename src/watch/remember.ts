import { CommandFailed } from '../errors.ts';
import { note } from '../flow/note.ts';
import { isNamed } from '../run/request.ts';
import { throughOutages, type Watch } from './watch.ts';

/**
 * A launch leaves a run folder by which a Vigil that lost its Redis takes the run up again; so does the watch of what somebody named. What a
 * patrol found, a patrol finds again. A host where nothing can be written is watched without.
 */
export function watchNote(watch: Watch, home: string): Promise<void> {
  const { host, folder, started, inbox, logger, signal } = watch;
  const { request, placement } = inbox.run();
  if (!isNamed(inbox.run())) return Promise.resolve();
  return throughOutages(watch, async () => {
    try {
      await host.remember({ folder, started, request: note({ request, home, placement }) }, signal);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      logger.warn({ err: error }, 'the run folder of what was found could not be written');
    }
  });
}
