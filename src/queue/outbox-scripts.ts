/**
 * The reporter's atomic writes, as Lua. Beside what scripts.ts names, a run's hash holds of it:
 *   shown                   JSON {digest, standing}: what the card says, as it was sent last
 *   frozen                  stands where the card can't be edited any more
 *   filing                  JSON {event, file, tries, at, sharedAt}: the log that is on its way into the thread
 * `roots` has each run's id by the place of its thread's root. Times are `given` by the caller, or '' for Redis's own clock.
 */

import { TIME } from './lua.ts';

const FENCED = `
local function isFenced(run, fence) return redis.call('HGET', run, 'rfence') ~= fence end
`;

/** `forgetPlace(run, roots)` takes a run's root out of the index. */
export const PLACES = `
local function fieldOf(root)
  local place = cjson.decode(root)
  return place.channel .. ' ' .. place.ts
end
local function forgetPlace(run, roots)
  local root = redis.call('HGET', run, 'root')
  if root then redis.call('HDEL', roots, fieldOf(root)) end
end
local function notePlace(run, roots, id)
  local root = redis.call('HGET', run, 'root')
  if root then redis.call('HSET', roots, fieldOf(root), id) end
end
`;

export const INTEND = `${TIME}${FENCED}
local run = KEYS[1]
local fence, event, attempt, given = unpack(ARGV)
if isFenced(run, fence) then return 'fenced' end
redis.call('HSET', run, 'intent', cjson.encode({event = event, attempt = tonumber(attempt), at = timeOf(given)}))
return 'written'
`;

export const WITHDRAW = `${FENCED}
local run = KEYS[1]
if isFenced(run, ARGV[1]) then return 'fenced' end
redis.call('HDEL', run, 'intent')
return 'written'
`;

export const DELIVERED = `${FENCED}${PLACES}
local run, roots = unpack(KEYS)
local id, fence, cursor, root = unpack(ARGV)
if isFenced(run, fence) then return 'fenced' end
redis.call('HSET', run, 'cursor', cursor)
redis.call('HDEL', run, 'intent', 'filing')
if root ~= '' then
  forgetPlace(run, roots)
  redis.call('HSET', run, 'root', root)
  notePlace(run, roots, id)
end
return 'written'
`;

/** The place is noted each time: a run of before there was an index gets into it. */
export const CARDED = `${TIME}${FENCED}${PLACES}
local run, roots = unpack(KEYS)
local id, fence, rev, shown, given = unpack(ARGV)
if isFenced(run, fence) then return 'fenced' end
redis.call('HSET', run, 'cardRev', rev)
if shown ~= '' then redis.call('HSET', run, 'shown', shown, 'cardAt', timeOf(given)) end
redis.call('HDEL', run, 'intent')
notePlace(run, roots, id)
return 'written'
`;

export const FREEZE = `${FENCED}
local run = KEYS[1]
if isFenced(run, ARGV[1]) then return 'fenced' end
redis.call('HSET', run, 'frozen', '1')
redis.call('HDEL', run, 'intent', 'shown')
return 'written'
`;

/** `shares`: the next thing is to show the file. */
export const FILING = `${TIME}${FENCED}
local run = KEYS[1]
local fence, event, file, tries, shares, given = unpack(ARGV)
if isFenced(run, fence) then return 'fenced' end
local now = timeOf(given)
local before = cjson.decode(redis.call('HGET', run, 'filing') or '{}')
local filing = {event = tonumber(event), tries = tonumber(tries), at = now}
if before.event == filing.event then
  filing.at = before.at
  if before.file == file then filing.sharedAt = before.sharedAt end
end
if file ~= '' then filing.file = file end
if shares == '1' then filing.sharedAt = now end
redis.call('HSET', run, 'filing', cjson.encode(filing))
redis.call('HDEL', run, 'intent')
return 'written'
`;

export const FORGET_ROOT = `${FENCED}${PLACES}
local run, roots = unpack(KEYS)
local fence, home = unpack(ARGV)
if isFenced(run, fence) then return 'fenced' end
forgetPlace(run, roots)
redis.call('HDEL', run, 'root', 'intent', 'shown', 'frozen', 'filing')
if home ~= '' then redis.call('HSET', run, 'home', home) end
return 'written'
`;

export const SETTLE = `
local run, dirty = unpack(KEYS)
local id, fence = unpack(ARGV)
local state = redis.call('HMGET', run, 'rfence', 'cursor', 'seq', 'cardRev', 'rev')
if state[1] ~= fence then return 'fenced' end
if state[2] ~= state[3] or state[4] ~= state[5] then return 'more' end
redis.call('SREM', dirty, id)
redis.call('HINCRBY', run, 'gen', 1)
return 'settled'
`;
