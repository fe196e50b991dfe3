import type { Page } from '@playwright/test'
import type { Sluice } from '#client/sluice.ts'
import type { TestBank } from './fixtures.ts'

/** Environment with the paths of what is configured there. */
interface Configured {
  readonly path: string
  /** Paths of the own properties and settings in the API. */
  readonly properties: string
  readonly settings: string
}

/** Environment of its own for a test, with one version of properties for each document. */
export async function environment(bank: TestBank, code: string, ...documents: object[]): Promise<Configured> {
  const api = bank.as('ann')
  const { relationships } = await api.create(`/api${bank.path}/environments`, { code, name: `Env ${code}` })
  const own = (part: string) => relationships?.[part]?.links?.related ?? ''
  for (const data of documents) await api.update(own('properties'), { data })
  return {
    path: `${bank.path}/environments/${code}`,
    properties: own('properties'),
    settings: own('settings'),
  }
}

/** Row of a table that contains a text. */
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Current version of properties or settings by their path in the API. */
export const dataOf = async (api: Sluice, record: string) =>
  (await api.show<{ data: object; version: number }>(record)).attributes

/** Editor of the own properties of a node. */
export const editorOf = (page: Page) => page.getByRole('textbox', { name: /^Properties/ })

/** Replaces the text of that editor. */
export async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
