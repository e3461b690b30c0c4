/** Links to elsewhere. */
import { element } from './dom.js';

/** Only addresses that can't run anything become links; else the words, or the node, stay as they are. */
export function link(url, words) {
  if (!/^(https?:|mailto:)/i.test(url)) return words;
  return element('a', { href: url, target: '_blank', rel: 'noreferrer noopener' }, words);
}
