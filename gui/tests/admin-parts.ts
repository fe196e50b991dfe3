import type { Page } from '@playwright/test'
import type { TestBank } from './fixtures.ts'

/** Navigation among the parts of the administration. */
export const parts = (page: Page) => page.getByRole('navigation', { name: 'Parts of the administration' })

/** Path of the settings of the installation in the API. */
export async function settingsPath(bank: TestBank): Promise<string> {
  const { relationships } = await bank.as('admin').show('/api/system_configuration')
  return relationships!['settings']!.links!.related!
}
