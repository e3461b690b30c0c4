/** Whether a script's words are a claim ("vLLM server ready.") or only speak of one ("waiting for vLLM to be ready", "not ready"). */

const NO_CLAIM =
  /^[+#]|n't|\b(?:not|never|no|until|if|unless|when|once|before|as soon as|to be|to become|(?:time|timeout|limit|check\w*|poll\w*|look\w*|prob\w*|ask\w*) for|wait(?:s|ing)?|whether|should|will|must|make sure|ensure|verify(?:ing)?|expect\w*|assum\w*|echo|printf|wandb|mlflow|tensorboard|jupyter|prometheus|grafana|redis|rendezvous|tcpstore|nfs|ssh|nicht|pas|wenn|bis|sobald|quand|cuando|hasta|warte\w*|attend\w*|esperando|aguardando|ожида\w*)\b|等待|等候|未|尚|没有|如果|若|直到|不|まで|まだ|아직|не |жд[её]м/i;
/** What was said before is over: the line goes on when the wait ends. */
const DOTS = /(?:\.{3,}|…|(?:\. ){3,})/g;
const DONE_WAITING = /\b(?:done|finished|stopped|after|end of) waiting\b/gi;

/** True where nothing in front of the place `at` turns what stands there into a condition, a wait, its opposite or a command's text. */
export function isClaimed(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const last = [...before.matchAll(DOTS)].at(-1);
  const told = last === undefined || text.startsWith('+') ? before : before.slice(last.index + last[0].length);
  return !NO_CLAIM.test(told.replace(DONE_WAITING, ''));
}
