/**
 * The archive's atomic writes, as Lua. `archive` has what is kept of each run that ended, by its id; `index` the same runs by their end, each as
 * what it is found by (archived.ts); `trouble` the ids of those with one fingerprint, by their end. The first writing of a run counts.
 */

import { PLACES } from './outbox-scripts.ts';

/** `archive(entry)`: in the step that ends a run, or later for one that ended before there was an archive. */
export const ARCHIVING = `
local function archive(entry)
  if redis.call('HSETNX', entry.archive, entry.id, entry.json) == 0 then return end
  redis.call('ZADD', entry.index, entry.at, entry.member)
  if entry.fingerprint ~= '' then redis.call('ZADD', entry.trouble, entry.at, entry.id) end
end
`;

export const ARCHIVE = `
${ARCHIVING}
local entries, index, trouble = unpack(KEYS)
local id, json, member, at, fingerprint = unpack(ARGV)
archive({archive = entries, index = index, trouble = trouble, id = id, json = json, member = member, at = at, fingerprint = fingerprint})
return 1
`;

/**
 * Ids of runs that ended of which the archive has nothing, at most `most`: no older ones than `since`, nor than the oldest of an archive that
 * has `full` entries, which would only be forgotten again.
 */
export const UNARCHIVED = `
local archive, ended, index = unpack(KEYS)
local since, full, most = unpack(ARGV)
if redis.call('ZCARD', index) >= tonumber(full) then
  since = math.max(since, redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')[2])
end
local found = {}
for _, id in ipairs(redis.call('ZRANGE', ended, '+inf', '(' .. since, 'BYSCORE', 'REV', 'LIMIT', 0, full)) do
  if redis.call('HEXISTS', archive, id) == 0 then found[#found + 1] = id end
  if #found >= tonumber(most) then break end
end
return found
`;

/**
 * Removes a run's own keys; where its thread is, the archive keeps. Nothing goes of a run that lives, of which Slack has not been told everything,
 * or that is in no archive yet, unless it is `old`. A run that could not be read has '-' in the archive, which goes with it.
 */
export const DROP_RUN = `${PLACES}
local run, events, ended, live, dirty, names, archive, threads, roots = unpack(KEYS)
local id, name, old = ARGV[1], ARGV[2], ARGV[3]
if redis.call('ZSCORE', live, id) or redis.call('SISMEMBER', dirty, id) == 1 then return 0 end
local entry = redis.call('HGET', archive, id)
if not entry and old ~= '1' then return 0 end
local root = redis.call('HGET', run, 'root')
if root and entry and entry ~= '-' then redis.call('HSET', threads, id, root) end
if entry == '-' then redis.call('HDEL', archive, id) end
if name ~= '' and redis.call('HGET', names, name) == id then redis.call('HDEL', names, name) end
redis.call('ZREM', ended, id)
forgetPlace(run, roots)
redis.call('DEL', run, events)
return 1
`;

/** Notes a remedy in place of the former one, which it returns, and has the cards of the runs written anew: the further keys, whose ids follow. */
export const NOTE = `
local notes, order, dirty = unpack(KEYS, 1, 3)
local fingerprint, json, at, most = unpack(ARGV, 1, 4)
local former = redis.call('HGET', notes, fingerprint)
redis.call('HSET', notes, fingerprint, json)
redis.call('ZADD', order, at, fingerprint)
while redis.call('ZCARD', order) > tonumber(most) do
  redis.call('HDEL', notes, redis.call('ZPOPMIN', order)[1])
end
local woken = {}
for i = 4, #KEYS do
  local id = ARGV[i + 1]
  if redis.call('HEXISTS', KEYS[i], 'run') == 1 then
    redis.call('HINCRBY', KEYS[i], 'rev', 1)
    redis.call('SADD', dirty, id)
    woken[#woken + 1] = id
    woken[#woken + 1] = redis.call('HGET', KEYS[i], 'gen')
  end
end
return {former or '', woken}
`;
