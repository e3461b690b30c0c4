/** What stands before the words of a line: prefixes, loggers' heads, and what containers and the journal add. */

const LEVEL = 'DEBUG|INFO|WARNING|ERROR|CRITICAL';
/** A process's name, and its pid with what Ray adds to it. */
const NAME = '[A-Za-z_][\\w.:-]{0,80}(?: [\\w=]{1,40}){0,4}';
const PID = 'pid=(\\d{1,12})(?:, ip=[^)]{0,60})?';
export const PREFIX = new RegExp(`^ ?\\((?:(${NAME}) )?${PID}\\) ?`);
export const RECORD = new RegExp(`^(${LEVEL}) (\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d) \\[?([^\\]\\s]+:\\d+)\\] ?(.*)$`);
export const RECORD_INSIDE = new RegExp(`(?:${LEVEL}) \\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\[?[^\\]\\s]+:\\d+\\]`);
export const UVICORN = /^(INFO|WARNING|ERROR|CRITICAL|DEBUG|TRACE): {1,20}(.*)$/;
export const RANK = /^\[rank(\d+)\]: ?/;
/** Older ones have no time: `[E ProcessGroupNCCL.cpp:474] text`. */
export const TORCH = /^\[([WEIF])(?:\d{3,4} \d\d:\d\d:\d\d\.\d+)? [\w.]+:\d+\] ?(.*)$/;
/** Of torchrun: `W0811 09:04:34.695000 20981 torch/distributed/run.py:852] text`. */
export const ELASTIC = /^([WEIF])(\d\d)(\d\d) (\d\d:\d\d:\d\d)\.\d+ \d+ [\w./]+:\d+\] ?(.*)$/;
export const DATED =
  /^\[?\d{4}-(\d\d-\d\d)[T ](\d\d:\d\d:\d\d)[\d.,]{0,12}(?:Z|[+-]\d\d:?\d\d)?((?: [A-Z]{1,8}\d{1,6}){0,6})\]?[\s|,-]{1,8}(?:std(?:out|err) [FP] )?(.*)$/;
/** SGLang's before 0.4 have no date: ranks, or the words of its start and end, tell them from others' heads. */
export const CLOCKED =
  /^\[()(\d\d:\d\d:\d\d)((?: [DTP]P\d{1,5}){1,3}|(?=\] (?:server_args=|The server is fired|INFO: )))\] (.*)$/;
/** No service's name: a trainer says so of the numbers behind it. */
const EVALUATED = '(?:eval|evaluation|val|valid|validation|test) {1,8}\\|.{0,200}\\bloss\\b';
/** Of docker compose. */
const SERVICE = '[\\w.-]{1,40} {1,8}\\|';
const ZONED = '\\d{4}-(\\d\\d-\\d\\d)T(\\d\\d:\\d\\d:\\d\\d)[\\d.,]{0,12}(?:Z|[+-]\\d\\d:?\\d\\d)';
/** Of Kubernetes. */
const STREAM = '(?:std(?:out|err) [FP](?: |$))';
/** A container's or the journal's own stamp: what was written stands behind one space, its indent kept. */
export const CONTAINED = new RegExp(
  `^${ZONED}(?: |$)(?:${STREAM}|\\| ?)?(?:[\\w.-]{1,64} [\\w.@:/-]{1,64}\\[\\d{1,9}\\]: ?)?(.*)$`,
);
/** journalctl's and syslog's: `Nov 30 20:22:33 gpu1 vllm[4411]: text`. */
export const JOURNAL = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,64} [\w.@:/-]{1,64}(?:\[\d{1,9}\])?: ?/;
/** Ray's own daemons. */
export const DAEMON = /^\((raylet|gcs_server|autoscaler|scheduler)(?: \+[\dhms]{1,12})?(?:, ip=[^)]{1,60})?\) ?/;
export const LEVELLED = new RegExp(`^(?:[\\w./<>:-]{1,80}[\\s|-]{1,8})?\\[?(${LEVEL})\\]?[\\s|:-]{1,20}(.*)$`);
export const SOURCE = /^\[?(?:[\w./<>-]+\.py:\d+|\w+\.[\w.]+)\]?(?: -|:| \|)? +/;
/** Where another process's line was glued on: its prefix and the head of what it says. */
export const GLUED = new RegExp(`\\((?:${NAME} )?${PID}\\) (?=(?:${LEVEL})[: ]|Traceback \\(most|\\{")`, 'g');
export const BAR = /%\||% Completed|(?:it|B)\/s[\],]|s\/it/;
/** Where a bar ends and the words of somebody else begin on the same line. */
export const BAR_END = /^[^[\]]{0,400}\[\d{1,3}:\d\d[^\]]{0,400}\](?=[^\s\],|)])/;
/** Older torch names the rank in its text alone. */
export const TEXT_RANK = /^\[(?:PG [^\]]{0,80} )?Rank (\d{1,6})\] /;
export const BEHIND_BAR =
  /(?<!^)(?:\[rank\d|(?<=\])Traceback \(most recent|(?<=\])[WEIF]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ )/;
/** What Kubernetes, docker and docker compose put before each line. */
export const WRAPPED = new RegExp(`^(?:${SERVICE} )?(?:${ZONED} ${STREAM}?)?`);
export const COMPOSE = new RegExp(`^(?!${EVALUATED})${SERVICE}(?: |$)`);
/** Ray says so behind lines that it left out. */
export const REPEATED = /^ \[repeated \d{1,9}x across cluster\]/;
/** More heads in a row are no head. */
export const MOST_DATES = 3;
