/** How the page speaks to its server. */

/** Posts JSON; a failure comes back as {error}. */
export async function send(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { error: 'The server of this page does not answer. Is it still running?' };
  }
}

/** Hears every change for good. `ready` gets the whole state at the start and after each reconnection, `changed` each change after it. */
export function listen({ ready, changed, lost }) {
  const source = new EventSource('/page/changes');
  let isLoaded = false;
  // Changes that arrive while the state is being fetched wait for it; each holds a whole record, so order is all that counts.
  let waiting = [];
  const load = async () => {
    waiting = [];
    isLoaded = false;
    const state = await (await fetch('/page/state')).json();
    isLoaded = true;
    ready(state, waiting);
  };
  // A server that is gone again by then is told as lost by the source itself.
  source.addEventListener('open', () => void load().catch(lost));
  source.addEventListener('message', (event) => {
    const change = JSON.parse(event.data);
    if (isLoaded) changed(change);
    else waiting.push(change);
  });
  // EventSource tries again by itself.
  source.addEventListener('error', lost);
}
