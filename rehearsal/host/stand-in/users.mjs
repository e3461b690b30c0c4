/** Whoever uses the server, as far as a scenario plays them: real requests to its own address. */
import { request } from 'node:http';
import { request as requestTls } from 'node:https';

/** The status of the answer, read to its end; null where there was none. */
export function ask({ args, address }, path, body) {
  const send = args.tls === null ? request : requestTls;
  const where = args.uds === null ? { host: address, port: args.port } : { socketPath: args.uds };
  const headers = {
    'content-type': 'application/json',
    ...(args.keys.length === 0 ? {} : { authorization: `Bearer ${args.keys[0]}` }),
  };
  return new Promise((resolve) => {
    const sent = send(
      { ...where, path, method: 'POST', headers, agent: false, rejectUnauthorized: false },
      (answer) => {
        answer.on('error', () => resolve(null));
        answer.on('end', () => resolve(answer.statusCode));
        answer.resume();
      },
    );
    sent.on('error', () => resolve(null));
    sent.end(JSON.stringify(body));
  });
}

/** `count` users who want long answers, token by token: under way for minutes. */
export function talkAtLength(server, count) {
  const body = {
    model: server.args.names[0],
    messages: [{ role: 'user', content: 'Tell me all that you know of whales.' }],
    max_tokens: Math.floor(server.args.maxModelLen * 0.9),
    stream: true,
  };
  for (let user = 0; user < count; user += 1) void ask(server, '/v1/chat/completions', body);
}
