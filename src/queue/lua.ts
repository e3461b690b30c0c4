/** Parts that several scripts share. */

/** `clock()`: Redis's own time in ms, as readRedisClock gives it. */
export const CLOCK = `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** `timeOf(given)`: a time that the caller gives (ms), or Redis's own for ''. */
export const TIME = `${CLOCK}
local function timeOf(given)
  if given == '' then return clock() end
  return tonumber(given)
end
`;

/** Writes a run and the events that stand in ARGV from `first` on; `state` is its version and its sequence. Marks it dirty if that is news. */
export const APPENDING = `
local function append(write)
  local seq = tonumber(write.state[2])
  local last = seq
  for i = write.first, #ARGV do
    last = last + 1
    redis.call('XADD', write.events, 'MAXLEN', '~', 2000, last .. '-0', 'event', ARGV[i])
  end
  redis.call('HSET', write.run, 'run', write.json, 'seq', last, 'version', write.state[1] + 1)
  if write.news or last > seq then
    redis.call('HINCRBY', write.run, 'rev', 1)
    redis.call('SADD', write.dirty, write.id)
  end
end
`;

/** `joinLine(line, id, where)`: behind all who wait ('back'), or before them ('front'). */
export const JOIN = `
local function joinLine(line, id, where)
  local last = where == 'back' and -1 or 0
  local score = redis.call('ZRANGE', line, last, last, 'WITHSCORES')[2] or 0
  redis.call('ZADD', line, where == 'back' and score + 1 or score - 1, id)
end
`;
