import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

/** Buttons that create something, and why a person without any right cannot. */
const buttons: readonly (readonly [address: string, name: string, reason: RegExp])[] = [
  ['/access', 'New policy…', /right "update" on the policies of a path/],
  ['/templates', 'New template…', /right "update" on the templates of a project/],
  ['/workflows', 'New workflow…', /right "update" on the workflows of a project/],
  ['/schedules', 'New schedule…', /right "update" on the schedules of a node and "execute"/],
  ['/projects', 'Create project…', /right "update" on \/projects/],
]

for (const [address, name, reason] of buttons)
  test(`“${name}” says to people who only read, or not even that, which right it needs`, async ({ page, open }) => {
    for (const person of ['carol', 'bob']) {
      await open(address, person)
      const button = page.getByRole('button', { name })
      await expect(button).toHaveAccessibleDescription(reason)
      await button.press('Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await open(address, 'admin')
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  })

test('who operates one project can create there, and not the project itself', async ({ page, open }) => {
  for (const [address, name] of buttons) {
    await open(address)
    const button = page.getByRole('button', { name })
    if (name === 'Create project…') await expect(button).toHaveAccessibleDescription(/./)
    else {
      await button.click()
      await expect(page.getByRole('dialog')).toBeVisible()
    }
  }
})

test('a link to the dialog of a new template gives the right reason', async ({ page, open }) => {
  await open('/templates?new=true', 'carol')
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create' })
  await expect(create).toHaveAccessibleDescription(/right "update" on the templates of a project/)
})

test('the menu and the versions of a workflow say what a reader may not do', async ({ page, open, bank }) => {
  const workflows = `/api${bank.path}/workflows`
  const source = (action: string) => `steps: [{ target: environments/test/assets/front, action: ${action} }]\n`
  await bank.as('ann').create(workflows, { code: 'read-only', name: 'Read only', source_yaml: source('check') })
  await open(`/workflows/${bank.code}/read-only`, 'bob')
  await page.getByRole('button', { name: 'More actions' }).click()
  const needs = (right: string) => `You need the right "${right}" on ${bank.path}/workflows/read-only.`
  for (const [item, right] of [
    ['Rename…', 'update'],
    ['Archive…', 'update'],
    ['Delete…', 'delete'],
  ] as const) {
    await expect(page.getByRole('menuitem', { name: item })).toBeDisabled()
    await expect(page.getByRole('menuitem', { name: item })).toContainText(needs(right))
  }
  await expectGoodEverywhere(page, () => expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeVisible())
})

test('a reader of a node finds why no schedule can be created there', async ({ page, open, bank }) => {
  await open(`${bank.path}/environments/test/assets/front?tab=schedules`, 'bob')
  const button = page.getByRole('button', { name: 'New schedule…' })
  await expect(button).toHaveAccessibleDescription(/right "update" on scheduled_activities of this node/)
})
