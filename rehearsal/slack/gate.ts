/** Who may talk to the stand-in at all: nobody but programs and pages of this machine that name it by its own address. */
import type { IncomingMessage } from 'node:http';

/**
 * Says why a request is refused, or null. A Host of another name is a DNS name rebound to 127.0.0.1; a foreign Origin is
 * another site's script that posts to us. Programs send no Origin.
 */
export function refusal(request: IncomingMessage, port: number): string | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) {
    return `Host is ${host ?? 'missing'}; this server answers as ${hosts.join(' or ')} only. Open http://${hosts[0]}/ instead.\n`;
  }
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    return `Origin is ${origin}; only pages of http://${hosts.join(' or http://')} may call this server.\n`;
  }
  return null;
}
