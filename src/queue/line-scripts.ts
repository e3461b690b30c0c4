/**
 * Who gets what on a host, as Lua. `holds` has who holds what, `<host>|<word>` to run id; a host's `line` is a sorted set of the runs that wait,
 * in order. Both are changed by scripts only: what is free, and whose turn it is, is looked at in the same step that takes it.
 */

import { APPENDING, CLOCK, JOIN } from './lua.ts';

/** Whether one of the words is another's: `theirs(holds, words, id)`. Whether one waits before it that is none of those passed: `waits`. */
const FREE = `
local function theirs(holds, words, id)
  for _, word in ipairs(words) do
    local holder = redis.call('HGET', holds, word)
    if holder and holder ~= id then return true end
  end
  return false
end
local function waits(line, id, past)
  local passed = {}
  for _, other in ipairs(past) do passed[other] = true end
  for _, other in ipairs(redis.call('ZRANGE', line, 0, -1)) do
    if other == id then return false end
    if not passed[other] then return true end
  end
  return false
end
`;

/** A request that is new: mode 'now' takes what it needs or changes nothing, 'back' and 'front' stand in the line. */
export const REQUEST = `
${CLOCK}${FREE}${JOIN}
local run, live, dirty, names, counters, holds, events, line = unpack(KEYS)
local id, host, json, at, deadline, mode, words, past = unpack(ARGV)
if deadline ~= '' and clock() > tonumber(deadline) then return {'late'} end
local known = redis.call('HGET', run, 'run')
if known then return {'same', known} end
words = cjson.decode(words)
if mode == 'now' and (theirs(holds, words, id) or waits(line, id, cjson.decode(past))) then return {'held'} end
local name = host .. '-' .. redis.call('HINCRBY', counters, host, 1)
json = string.gsub(json, '"name":"@NAME@"', '"name":"' .. name .. '"', 1)
redis.call('HSET', run, 'run', json, 'seq', 1, 'version', 1, 'rev', 1, 'cardRev', 0, 'fence', 0, 'rfence', 0, 'cursor', 0, 'gen', 0)
redis.call('XADD', events, '1-0', 'event', cjson.encode({seq = 1, at = tonumber(at), seen = tonumber(at), kind = 'requested'}))
redis.call('ZADD', live, at, id)
redis.call('SADD', dirty, id)
redis.call('HSET', names, name, id)
if mode == 'now' then
  for _, word in ipairs(words) do redis.call('HSET', holds, word, id) end
else
  joinLine(line, id, mode)
end
return {'accepted', json}
`;

/** Takes what a run needs: see Line.take. */
export const TAKE = `
${FREE}${APPENDING}
local run, events, dirty, holds, line = unpack(KEYS)
local id, version, json, words, past = unpack(ARGV, 1, 5)
local state = redis.call('HMGET', run, 'version', 'seq')
if state[1] ~= version then return {'stale'} end
words = cjson.decode(words)
if theirs(holds, words, id) then return {'held'} end
if redis.call('ZSCORE', line, id) and waits(line, id, cjson.decode(past)) then return {'behind'} end
for _, word in ipairs(words) do redis.call('HSET', holds, word, id) end
redis.call('ZREM', line, id)
append({run = run, events = events, dirty = dirty, id = id, json = json, state = state, news = true, first = 6})
return {'taken', redis.call('HGET', run, 'gen')}
`;
