import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Accessibility rules for every state of a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Returns how many pixels a page is wider than its window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** Returns controls whose focus ring is missing, or cut off by an element around them. */
export async function cutRingsOf(page: Page): Promise<readonly string[]> {
  // Rings are shown after a key was pressed.
  await page.keyboard.press('Tab');
  return page.evaluate(selector => {
    const isCut = (control: Element, reach: number) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      for (let around = control.parentElement; around !== document.body && around; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue;
        const box = around.getBoundingClientRect();
        const edges = [left - box.left, box.right - right, top - box.top, box.bottom - bottom];
        if (edges.some(room => room - reach < -1)) return true;
      }
      return false;
    };
    return Array.from(document.querySelectorAll<HTMLElement>(selector)).flatMap(control => {
      control.focus();
      if (document.activeElement !== control) return [];
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control);
      const isMissing = outlineStyle === 'none';
      const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
      return isMissing || isCut(control, reach) ? [control.outerHTML.slice(0, 200)] : [];
    });
  }, FOCUSABLE);
}

/** Returns the accessibility violations that axe finds. */
export async function findingsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const options = { runOnly: { type: 'tag', values: TAGS }, rules: { 'landmark-unique': { enabled: true } } };
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const findings = await page.evaluate<readonly Finding[]>(run);
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
