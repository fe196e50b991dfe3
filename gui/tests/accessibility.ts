import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Asserts that a page is accessible and does not scroll sideways, in both themes and in a narrow and a wide window. The
 * page is loaded once: width and theme change under it.
 *
 * @param isThere waits until the page shows what it should, after each change of its size
 */
export async function expectGoodEverywhere(page: Page, isThere: () => Promise<void>): Promise<void> {
  for (const width of [360, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await isThere()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
}

/** Asserts that the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/**
 * Asserts that axe finds nothing, with all of its rules for WCAG 2.2 AA and best practices. axe runs in the page itself
 * and is loaded into it once. `@axe-core/playwright` would load it with every run, and a second time into a page that it
 * opens to merge the results of frames, which is four fifths of the time of a run. Without frames, which is asserted,
 * both run the same rules on the same document.
 */
async function expectAccessible(page: Page): Promise<void> {
  expect(page.frames(), 'frames of the page').toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    // `violations` restricts the details of the result, not the rules.
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] })
    return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
  })
  expect(found).toEqual([])
}
