import { expect, expectGoodEverywhere, test } from './fixtures.ts'
import { robots } from './robots.ts'

const watcher = '/projects/robots/agents/watcher'

test('agents are listed with their status, found by name, and say that they cannot be started yet', async ({
  page,
  open,
  bank,
}) => {
  await robots(bank)
  await open('/projects', 'admin')
  await page.getByRole('link', { name: 'All agents' }).click()
  await expect(page).toHaveURL(/\/agents$/)
  const table = page.getByRole('table', { name: 'Agents' })
  await expect(table.getByRole('row', { name: /Watcher watcher absent robots web 1 none/ })).toBeVisible()
  await expect(page.getByText('Agents cannot be started yet.')).toBeVisible()
  await page.getByLabel('Name contains…').fill('clean')
  await expect(page).toHaveURL(/q=clean/)
  await expect(table.getByRole('row', { name: /Cleaner/ })).toBeVisible()
  await expect(table.getByRole('row', { name: /Watcher/ })).toBeHidden()
  await page.getByLabel('Name contains…').fill('nothing of the kind')
  await expect(page.getByText('No agent matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL(/\/agents$/)
  await table.getByRole('link', { name: 'Watcher' }).click()
  await expect(page.getByRole('heading', { name: 'Watcher', level: 1 })).toBeVisible()
  // Changes do not run on agents: they have no tab of activities.
  await expect(page.getByRole('link', { name: 'Activities', exact: true })).toHaveCount(1)
  await expect(page.getByText('none: it has written nothing')).toBeVisible()
  await page.getByRole('link', { name: 'Status and log' }).click()
  await expect(page.getByText('It has written nothing.')).toBeVisible()
  await expect(page.getByText('No background task has run for this agent.')).toBeVisible()
  await expect(page.getByText('Agents cannot be started yet.')).toBeVisible()
})

test('who may read no agent is told how one is created', async ({ page, open, bank }) => {
  await robots(bank)
  await open('/agents', 'carol')
  await expect(page.getByText('There are no agents yet')).toBeVisible()
  await expect(page.getByText('sluice create agent PROJECT')).toBeVisible()
})

test('an agent that runs shows its image, its task and its log; pages are accessible everywhere', async ({
  page,
  open,
  bank,
}) => {
  await robots(bank)
  await bank.runAgents()
  await open(`${watcher}?tab=agent`, 'admin')
  const log = page.getByRole('region', { name: 'Log of the agent' })
  await expect(log).toContainText('watching 12 queues')
  await expect(log).toContainText('queue 7 is full')
  await expect(page.getByText('running', { exact: true })).toHaveCount(2)
  await expect(page.getByText('sha256:4f1c').first()).toBeVisible()
  await expect(page.getByText('in use')).toBeVisible()
  await expect(page.getByText('Agents cannot be started yet.')).toBeHidden()
  await page.getByText('Log of the task').click()
  await expect(page.getByText('The task has written nothing.')).toBeVisible()
  await expectGoodEverywhere(page, () => expect(log).toBeVisible())
  await page.goto('/agents')
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: 'Watcher' })).toBeVisible())
})
