/**
 * Budgets in Redis, as Lua. `taken` has the times of the last takes, oldest first; `waiting` who waits, in order: an urgent asker's score is FAR
 * below the others'; `seen` when each of them last asked; `rest` until when nothing is given at all.
 * Times are `given` by the caller, or '' for Redis's own clock. It may be set back, or be another machine's after a fail-over: what lies in the future
 * then is passed over, else nothing would be given until that time has come again.
 */

import { TIME } from './lua.ts';

/**
 * Takes, and returns 0; or keeps the asker's place and returns the ms after which to ask again. A limit {most, ms} allows so many takes within
 * any such time. Those ahead are counted as if each took as soon as it may, which is what they do.
 */
export const BUDGET = `${TIME}
local FAR = 10000000000000
local taken, all, waiting, seen, rest = unpack(KEYS)
local given, asker, urgent, json = unpack(ARGV)
local terms = cjson.decode(json)
local now = timeOf(given)

local function nextAt(key, limits, count, from)
  local times = {}
  for _, time in ipairs(redis.call('LRANGE', key, 0, -1)) do
    if tonumber(time) <= now then times[#times + 1] = tonumber(time) end
  end
  local at = from
  for _ = 1, count do
    for _, limit in ipairs(limits) do
      local before = times[#times + 1 - limit.most]
      if before and before + limit.ms > at then at = before + limit.ms end
    end
    times[#times + 1] = at
  end
  return at
end

local function note(key)
  redis.call('RPUSH', key, now)
  redis.call('LTRIM', key, -terms.kept, -1)
  redis.call('PEXPIRE', key, terms.minute)
end

local function forget(from, to)
  for _, gone in ipairs(redis.call('ZRANGE', seen, from, to, 'BYSCORE')) do
    redis.call('ZREM', waiting, gone)
    redis.call('ZREM', seen, gone)
  end
end
forget('-inf', '(' .. now - terms.forget)
forget('(' .. now, '+inf')
local place = redis.call('ZSCORE', waiting, asker)
if not place or (tonumber(place) < 0) ~= (urgent == '1') then
  redis.call('ZADD', waiting, urgent == '1' and now - FAR or now, asker)
end
redis.call('ZADD', seen, now, asker)

local from = now
local till = tonumber(redis.call('GET', rest) or '0')
if till > now and till <= now + terms.rest then from = till end
local at = nextAt(taken, terms.own, redis.call('ZRANK', waiting, asker) + 1, from)
if #terms.all > 0 then at = nextAt(all, terms.all, 1, at) end
if at > now then
  redis.call('PEXPIRE', waiting, 2 * terms.forget)
  redis.call('PEXPIRE', seen, 2 * terms.forget)
  return math.min(math.ceil(at - now), terms.ask)
end
redis.call('ZREM', waiting, asker)
redis.call('ZREM', seen, asker)
note(taken)
if #terms.all > 0 then note(all) end
return 0
`;

/** A later end stays, but for one that lies further away than the longest rest. */
export const REST = `${TIME}
local rest = KEYS[1]
local given, ms, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local now = timeOf(given)
local before = tonumber(redis.call('GET', rest) or '0')
if now + ms > before or before > now + most then redis.call('SET', rest, now + ms, 'PX', ms) end
return 1
`;
