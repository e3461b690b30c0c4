/** Addresses that Slack hands out to be posted to: they are followed only where they lead to Slack. */

const SLACK = /\.slack(?:-gov)?\.com$/;

/** Whether that is an address of Slack's own, or of the Web API that we were told to use. */
export function isSlackAddress(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, origin } = new URL(address);
  return origin === new URL(apiUrl).origin || (protocol === 'https:' && SLACK.test(`.${hostname}`));
}
