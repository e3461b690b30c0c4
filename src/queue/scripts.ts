/**
 * The journal's atomic writes, as Lua. A run's hash holds:
 *   run, checkpoint, tail   JSON
 *   seq                     number of the last event; events are the stream's entries `<seq>-0`
 *   version                 grows with every write of the run: who loaded an older one is stale
 *   rev                     grows with each change that people see; cardRev, cardAt = what the card shows, since when
 *   fence, rfence           the watch's and the reporter's fencing tokens: the newest taker's number
 *   cursor, intent, root    the reporter's: last event that Slack has; message on its way; the thread's root; more stands in outbox-scripts.ts
 *   home                    channel id, or 'nowhere'
 *   gen                     number of the report job: grows when a report settles, so that a wake-up never meets a job that is just ending
 * Every script that adds news marks the run dirty; only `settle` clears the mark.
 */

import type { Redis } from 'ioredis';
import { ARCHIVE, ARCHIVING, DROP_RUN, NOTE, UNARCHIVED } from './archive-scripts.ts';
import { BUDGET, REST } from './budget-scripts.ts';
import { REQUEST, TAKE } from './line-scripts.ts';
import { APPENDING, CLOCK, JOIN } from './lua.ts';
import { CARDED, DELIVERED, FILING, FORGET_ROOT, FREEZE, INTEND, SETTLE, WITHDRAW } from './outbox-scripts.ts';

/** A run that lives on its host and that Redis lost: its root may stand in Slack, so a search for it comes before a post. */
const ADOPT = `
local run, live, dirty, names, counters, holds, events = unpack(KEYS)
local id, name, host, json, home, at, since, checkpoint = unpack(ARGV, 1, 8)
if redis.call('EXISTS', run) == 1 then return 0 end
if name == '@NAME@' then
  name = host .. '-' .. redis.call('HINCRBY', counters, host, 1)
  json = string.gsub(json, '"name":"@NAME@"', '"name":"' .. name .. '"', 1)
end
redis.call('HSET', run, 'run', json, 'seq', 1, 'version', 1, 'rev', 1, 'cardRev', 0, 'fence', 0, 'rfence', 0, 'cursor', 0, 'gen', 0)
redis.call('HSET', run, 'home', home, 'intent', cjson.encode({event = 'root', attempt = 1, at = tonumber(since)}))
if checkpoint ~= '' then redis.call('HSET', run, 'checkpoint', checkpoint) end
redis.call('XADD', events, '1-0', 'event', cjson.encode({seq = 1, at = tonumber(at), seen = tonumber(at), kind = 'requested'}))
redis.call('ZADD', live, at, id)
redis.call('SADD', dirty, id)
redis.call('HSET', names, name, id)
local number = tonumber(string.match(name, '(%d+)$') or '0')
if number > tonumber(redis.call('HGET', counters, host) or '0') then redis.call('HSET', counters, host, number) end
for i = 9, #ARGV do redis.call('HSETNX', holds, ARGV[i], id) end
return 1
`;

const APPEND = `
${CLOCK}${APPENDING}${JOIN}${ARCHIVING}
local run, events, dirty, live, ended, holds, line, entries, index, trouble, records = unpack(KEYS)
local id, fence, version, json, checkpoint, tail, news, leaving, at, deadline = unpack(ARGV, 1, 10)
local entry, member, over, fingerprint, recordOf, record = unpack(ARGV, 11, 16)
if deadline ~= '' and clock() > tonumber(deadline) then return {'late'} end
local state = redis.call('HMGET', run, 'version', 'seq', 'fence')
if fence ~= '' and state[3] ~= fence then return {'fenced'} end
if state[1] ~= version then return {'stale'} end
append({run = run, events = events, dirty = dirty, id = id, json = json, state = state, news = news == '1', first = 17})
if record ~= '' then redis.call('HSET', records, recordOf, record) end
if checkpoint ~= '' then redis.call('HSET', run, 'checkpoint', checkpoint) end
if tail ~= '' then redis.call('HSET', run, 'tail', tail) end
if leaving == 'over' then
  redis.call('ZREM', live, id)
  redis.call('ZADD', ended, at, id)
  redis.call('ZREM', line, id)
  if entry ~= '' then
    archive({archive = entries, index = index, trouble = trouble, id = id, json = entry, member = member, at = over, fingerprint = fingerprint})
  end
end
if leaving == 'back' then joinLine(line, id, 'front') end
if leaving ~= '' then
  local all = redis.call('HGETALL', holds)
  for i = 1, #all, 2 do
    if all[i + 1] == id then redis.call('HDEL', holds, all[i]) end
  end
end
return {'written', redis.call('HGET', run, 'gen'), leaving == 'over' and redis.call('ZCARD', line) or 0}
`;

const HOME = `
local run, dirty = unpack(KEYS)
local id, home = ARGV[1], ARGV[2]
if redis.call('HSETNX', run, 'home', home) == 0 then return -1 end
redis.call('SADD', dirty, id)
return redis.call('HINCRBY', run, 'gen', 1)
`;

const SCRIPTS = {
  vigilRequest: { numberOfKeys: 8, lua: REQUEST },
  vigilTake: { numberOfKeys: 5, lua: TAKE },
  vigilAdopt: { numberOfKeys: 7, lua: ADOPT },
  vigilAppend: { numberOfKeys: 11, lua: APPEND },
  vigilHome: { numberOfKeys: 2, lua: HOME },
  vigilIntend: { numberOfKeys: 1, lua: INTEND },
  vigilWithdraw: { numberOfKeys: 1, lua: WITHDRAW },
  vigilDelivered: { numberOfKeys: 2, lua: DELIVERED },
  vigilCarded: { numberOfKeys: 2, lua: CARDED },
  vigilFreeze: { numberOfKeys: 1, lua: FREEZE },
  vigilFiling: { numberOfKeys: 1, lua: FILING },
  vigilForgetRoot: { numberOfKeys: 2, lua: FORGET_ROOT },
  vigilSettle: { numberOfKeys: 2, lua: SETTLE },
  vigilArchive: { numberOfKeys: 3, lua: ARCHIVE },
  vigilUnarchived: { numberOfKeys: 3, lua: UNARCHIVED },
  vigilDropRun: { numberOfKeys: 9, lua: DROP_RUN },
  vigilBudget: { numberOfKeys: 5, lua: BUDGET },
  vigilRest: { numberOfKeys: 1, lua: REST },
  /** Its first word is the number of keys. */
  vigilNote: { lua: NOTE },
} as const;

type Script = (...keysThenArguments: string[]) => Promise<unknown>;
export type Scripts = { readonly [name in keyof typeof SCRIPTS]: Script };

/** The scripts, bound to a connection (ioredis sends them by hash and loads them where Redis forgot them). */
export function defineScripts(redis: Redis): Scripts {
  for (const [name, script] of Object.entries(SCRIPTS)) redis.defineCommand(name, script);
  const call = (name: keyof typeof SCRIPTS): Script => {
    const command: unknown = Reflect.get(redis, name);
    if (typeof command !== 'function') throw new Error(`ioredis did not define ${name}`);
    return (...words) => Promise.resolve(Reflect.apply(command, redis, words));
  };
  return {
    vigilRequest: call('vigilRequest'),
    vigilTake: call('vigilTake'),
    vigilAdopt: call('vigilAdopt'),
    vigilAppend: call('vigilAppend'),
    vigilHome: call('vigilHome'),
    vigilIntend: call('vigilIntend'),
    vigilWithdraw: call('vigilWithdraw'),
    vigilDelivered: call('vigilDelivered'),
    vigilCarded: call('vigilCarded'),
    vigilFreeze: call('vigilFreeze'),
    vigilFiling: call('vigilFiling'),
    vigilForgetRoot: call('vigilForgetRoot'),
    vigilSettle: call('vigilSettle'),
    vigilArchive: call('vigilArchive'),
    vigilUnarchived: call('vigilUnarchived'),
    vigilDropRun: call('vigilDropRun'),
    vigilBudget: call('vigilBudget'),
    vigilRest: call('vigilRest'),
    vigilNote: call('vigilNote'),
  };
}
