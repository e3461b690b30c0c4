/** How well the text of a page can be read: the contrast of WCAG 2, which asks for 4.5 : 1. */
import type { Page } from 'playwright-core';

/** Every visible text below the limit, as `4.12 "words"`. What is hidden from screen readers and disabled buttons are left out, as WCAG does. */
export function faintTexts(page: Page, least = 4.5): Promise<string[]> {
  return page.evaluate((limit) => {
    const faint = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const words = walker.currentNode.textContent?.trim() ?? '';
      if (parent === null || words === '' || !parent.checkVisibility({ opacityProperty: true })) continue;
      if (parent.closest('[aria-hidden=true], :disabled, script, option, [inert]') !== null) continue;
      const found = contrast(parent);
      if (found < limit) faint.add(`${found.toFixed(2)} "${words.slice(0, 60)}"`);
    }
    return [...faint];

    function contrast(node: Element): number {
      const behind = backgroundOf(node);
      const ink = over(parse(getComputedStyle(node).color), behind);
      const [light, dark] = [luminance(ink), luminance(behind)].sort((a, b) => b - a) as [number, number];
      return (light + 0.05) / (dark + 0.05);
    }

    function backgroundOf(node: Element): number[] {
      const own = parse(getComputedStyle(node).backgroundColor);
      if (own[3] === 1) return own;
      return over(own, node.parentElement === null ? [255, 255, 255, 1] : backgroundOf(node.parentElement));
    }

    function parse(colour: string): number[] {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      return [red, green, blue, alpha];
    }

    function over([red = 0, green = 0, blue = 0, alpha = 1]: number[], behind: number[]): number[] {
      return [...[red, green, blue].map((part, at) => part * alpha + (behind[at] ?? 0) * (1 - alpha)), 1];
    }

    function luminance(colour: number[]): number {
      const [red = 0, green = 0, blue = 0] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  }, least);
}
