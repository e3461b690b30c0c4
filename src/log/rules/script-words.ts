/** The words of run scripts for a target server, in the languages that people write scripts in, and the times beside them. */

/** A word that a line holds which speaks of the target server, or an address of one: what can't is passed over by it. */
export const NAMED =
  /vllm|sglang|\bsgl\b|target|server|serve process|\bstage serve|verifier|teacher|endpoint|servidor|serveur|zielmodell|health|\/v1\/models|https?:|localhost:/i;
/** The same in scripts that the index of words doesn't know, and bare ports. */
export const NAMED_OTHERWISE = /сервер|服务|目标模型|サーバ|서버|:\d{4,5}\b/i;

/** Its kind. */
const KIND =
  '(?:\\((?!pid)[\\w .:@\\/=-]{1,60}\\)|(?:server|serve|target|process|endpoint|model|API|service|instance|container|backend|job|cible|objetivo)\\b|服务器?|服务端?|进程|サーバー?|서버)';

/** The server that the trainer asks for hidden states, by its last words. */
export const NAME = `(?:vLLM|SGLang|SGL|target|stage serve|serve process|(?:Ziel-?|Inferenz-?|Modell?-?)?server|verifier|teacher|endpoint|servidor|serveur|Zielmodell|сервер|推理服务|服务器?|目标模型|サーバー?|서버)(?:[ -]?${KIND}){0,3}`;

/** The same with all that may stand before it. */
export const TARGET = `(?:the |a |our |den |der |le |el )?(?:(?:remote|local|inference|model|target|verifier|teacher|generation|openai(?:[- ]compatible)?|hidden[- ]states?) ){0,2}${NAME}`;

/** Where it listens. */
export const PLACE = '(?: (?:at|on|@|to) \\S{1,200}| https?:\\S{1,200})?';

/** Words for "it answers", one of them. */
export const READY =
  '(?:[のはが가이] ?)?(?:ready\\b(?!-| in (?:about|around|roughly|approx|~|a |some|two|three|five|ten))|up\\b(?! to\\b| in about\\b|time)|healthy\\b|reachable\\b|available\\b(?! (?:memory|GPU|KV|models?|devices|layers|at \\/))|alive\\b|online\\b|live\\b|answer(?:s|ed|ing)\\b|respond(?:s|ed|ing)\\b|listening\\b|says (?:hello|hi|yes)\\b|running and\\b|accepting (?:requests|connections)\\b|serving\\b|passed\\b|ok\\b|HTTP(?:\\/[\\d.]{1,4})? 200\\b|200\\b|已?(?:准备)?就绪|已启动|启动成功|启动完成|已上线|可用|正常|bereit\\b|erreichbar\\b|antwortet\\b|läuft\\b|est prêt|prête?(?![a-z])|listo\\b|lista\\b|pronto\\b|pronta\\b|готов|準備完了|起動しました|起動完了|준비 ?완료|준비됨)(?!\\w{0,20}\\?| nicht| noch nicht| ?[:=] ?(?:no|false|0|not)\\b)';

/** Before a word for readiness: it is none. */
export const WAIT =
  "(?:wait(?:ing)?(?: (?:for|on|until))?|polling(?: for)?|probing|等待|等候|warte[nt]? auf(?: den| die)?|en attente (?:de|du)|(?:j'|on )?attend(?:s|re|ons)?|esperando(?: a(?:l)?)?|aguardando|in attesa (?:di|del)|ожидани[ея]|жд[её]м)";

/** A wait that goes on, an older run, a command's text and a comment are no end. */
export const NOT_OVER =
  /^\+|^# |\b(?:gives up|yet|retry\w*|again|keep\w*|continu\w*|(?<!up )(?<!out )waiting|last time|previous\w*|earlier|still|sleep\w*|attempt \d+)\b/i;

/** What would be done, or is a command's text. */
export const CONDITION =
  /^\+|^# |\?|\b(?:if|unless|until|once|when|would|will|should|otherwise|wenn|falls|bis|sobald)\b/i;
const TOOK =
  /(?:\b(?:after|in|took|waited|within|elapsed:?|for)|[(,:~=-]|用时|耗时|等待了?|等了|nach|après|después de|tras|dopo|за|через)(?: about| approx\.?)? ?~?(?:(\d{1,3}) ?h(?:ours?)?)?(?: ?(\d{1,5}) ?m(?:in(?:ute)?s?)?(?![a-z]))?(?: ?(\d{1,6})(?:\.\d+)? ?(?:s(?:ec(?:ond)?s?)?\b|秒))?/gi;

/** Seconds that something took, as told: `after 74s`, `(1m 20s)`, `took 2 min`. Limits, ages and pauses are none. */
export function secondsTaken(text: string): number | null {
  for (const match of text.matchAll(TOOK)) {
    const [, hours, minutes, seconds] = match;
    if (hours === undefined && minutes === undefined && seconds === undefined) continue;
    const behind = text.slice(match.index + match[0].length);
    if (/^ ago\b/.test(behind) || LIMIT.test(text.slice(Math.max(0, match.index - 24), match.index))) continue;
    return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  }
  return null;
}

const LIMIT =
  /(?:timeout|time-?out|limit|max\w{0,8}|up to|at most|since|every|retry\w{0,8}|sleep\w{0,8}|next|again|usually|expect\w{0,8}|takes|about|超时|约|每)[\s:=]{0,3}$/i;

const WAITED =
  /(?:^|[ ([:=]|\bt\+?)(\d{1,6})(?:\.\d+)? ?(?:s(?:ec(?:ond)?s?)?\b|秒)|(?:^|[ ([:=])(\d{1,6}) ?\/ ?\d{1,6} ?(?:s(?:ec(?:ond)?s?)?\b|秒)/gi;

/** Seconds that a script has waited so far, in a line that counts them. */
export function secondsWaited(text: string): number | null {
  for (const match of text.matchAll(WAITED)) {
    const count = match[1] ?? match[2];
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    if (count !== undefined && !LIMIT.test(before) && !/\b(?:in|for)$/.test(before)) return Number(count);
  }
  return null;
}
