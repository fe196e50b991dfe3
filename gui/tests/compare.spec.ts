import { environment } from './configured.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('two nodes are compared by an address that has both, and their differences are listed', async ({
  page,
  open,
  bank,
}) => {
  const one = await environment(bank, 'one', { web: { port: 80, host: 'a' }, only: 'here' })
  const two = await environment(bank, 'two', { web: { port: 443, host: 'a' } })
  await bank.as('ann').update(two.settings, { data: { 'allow_parallel.changes': false } })
  await open(one.path)
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another node…' }).click()
  await expect(page.getByLabel('Node A')).toHaveValue(one.path)
  await expect(page.getByText('Choose two nodes')).toBeVisible()
  await page.getByLabel('Node B').fill(`${bank.path}/environments/nowhere`)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('Node B').fill(two.path)
  const properties = page.getByRole('list', { name: 'Properties' })
  await expect(properties.getByRole('listitem')).toHaveText([
    /web\.port\s*differs\s*80\s*\|\s*443/,
    /only\s*only A\s*here/,
  ])
  await expect(page.getByRole('list', { name: 'Settings' }).getByRole('listitem')).toContainText([
    'allow_parallel.changes',
  ])
  await page.getByRole('button', { name: 'Swap the nodes' }).click()
  await expect(page.getByLabel('Node A')).toHaveValue(two.path)
  await expect(properties).toContainText(/only\s*only B/)
  await page.reload()
  await expect(properties).toContainText(/only\s*only B/)
  await expectGoodEverywhere(page, () => expect(properties).toBeVisible())
  await page.goto(`/compare?a=${one.path}&b=${one.path}`)
  await expect(page.getByText('There is no difference.')).toHaveCount(2)
})
