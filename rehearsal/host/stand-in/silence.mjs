const beatSeconds = 0.5;

/**
 * A while in which nothing is logged: `seconds` unscaled ones, but at least as many real ones as the host was told, else `least`. `act`
 * is called every half of a real second, with the share of it that is over: first 0, last 1.
 */
export async function keepSilence({ pace, silence }, { seconds, least, act }) {
  const real = Math.max(seconds / pace.speed, silence ?? least);
  const beats = Math.ceil(real / beatSeconds);
  act(0);
  for (let beat = 1; beat <= beats; beat += 1) {
    await pace.wait((real * pace.speed) / beats);
    act(beat / beats);
  }
}
