/** A whole start, from the first line to readiness: all steps of this folder in their order. A headless one has no API server to get ready. */
import { capture } from './capture.mjs';
import { compile } from './compile.mjs';
import { configure } from './configure.mjs';
import { connect } from './connect.mjs';
import { load } from './load.mjs';
import { serve } from './serve.mjs';

export async function start(server) {
  await configure(server);
  await connect(server);
  await load(server);
  await compile(server);
  await capture(server);
  if (server.args.isHeadless) await server.pace.never();
  await serve(server);
}
