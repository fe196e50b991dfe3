import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Asserts that axe finds nothing. It is loaded once into the page that all components of the gallery share.
 *
 * @param within selector of what is checked
 * @param rules the only rules to run; all of them without
 */
export async function expectAccessible(page: Page, within: string, rules?: string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(
    async ([part, runOnly]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part, {
        // Restricts the details of the result, not the rules.
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      })
      return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
    },
    [within, rules] as const,
  )
  expect(found).toEqual([])
}
