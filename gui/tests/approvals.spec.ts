import type { Change } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, expectNoSidewaysScroll, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true, provokes: /status of 409/ })

test('an approver approves from a window of 360 px and sees it among the own decisions', async ({
  page,
  open,
  bank,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await approveFirst(bank)
  const change = await bank.change('rollout', { attributes: { metadata: { ticket: 'CHG-2041' } } })
  await bank.reaches(change.id, 'waiting_for_approval')
  await open('/approvals', 'bob')
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${change.id}"]`) })
  await expect(card).toContainText('rollout')
  await expect(card).toContainText('ticket: CHG-2041')
  await expect(card).toContainText('0 of 1 approvals')
  await expectNoSidewaysScroll(page)
  await card.getByRole('button', { name: 'Approve…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Message').fill('looks right')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(card).toBeHidden()
  // The button that had the focus went with its card.
  await expect(page.getByRole('main')).toBeFocused()
  await bank.reaches(change.id, 'success')
  await page.getByRole('link', { name: 'Decided by me' }).click()
  const decisions = page.getByRole('row').filter({ hasText: 'approved' })
  await expect(decisions.first()).toContainText('Go live')
  await page.setViewportSize({ width: 1440, height: 740 })
  await expect(decisions.first()).toContainText('looks right')
  await expect(decisions.nth(1)).toContainText('the one before')
})

/** A decision before that of the test, so that their order is seen. */
async function approveFirst(bank: TestBank): Promise<void> {
  const { id } = await bank.change('rollout', { asset: 'back' })
  await bank.reaches(id, 'waiting_for_approval')
  const waiting = await bank.as('bob').list<{ activity_id: string }>('/api/waiting_steps')
  const step = waiting.find(({ attributes }) => attributes.activity_id === id)!
  await bank.as('bob').create(`/api/steps/${step.id}/approve`, { message: 'the one before' })
  await bank.reaches(id, 'success')
}

for (const place of ['the inbox', 'the page of the change'])
  test(`a reason that is typed on ${place} stays when the step is decided elsewhere meanwhile`, async ({
    page,
    open,
    bank,
  }) => {
    const { id } = await bank.change('rollout', { asset: 'back' })
    await bank.reaches(id, 'waiting_for_approval')
    await open(place === 'the inbox' ? '/approvals' : `/activities/${id}`, 'bob')
    const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${id}"]`) })
    const from = place === 'the inbox' ? card : page
    await from.getByRole('button', { name: 'Reject…' }).click()
    const message = page.getByRole('dialog').getByLabel('Message')
    await message.fill('not on a Friday')
    const waiting = await bank.as('bob').list<{ activity_id: string }>('/api/waiting_steps')
    const step = waiting.find(({ attributes }) => attributes.activity_id === id)!
    await bank.as('bob').create(`/api/steps/${step.id}/approve`, {})
    await bank.reaches(id, 'success')
    await expect(page.getByRole('button', { name: 'Approve…', includeHidden: true })).toHaveCount(0)
    await message.press('Control+Enter')
    await expect(page.getByText('The step does not wait: it is success.')).toBeVisible()
    await expect(message).toHaveValue('not on a Friday')
  })

test('an approver sees what is approved: plan, steps, version, commit, and the properties that differ from the last success', async ({
  page,
  open,
  bank,
}) => {
  const run = async (port: number) => {
    const change = await bank.change('rollout', {
      attributes: { property_overrides: { web: { port }, password: `secret:/${bank.path}/database/password` } },
    })
    await bank.reaches(change.id, 'waiting_for_approval')
    return bank.as('ann').show<Change>(`/api/changes/${change.id}`)
  }
  await bank.as('ann').send('POST', '/api/secrets/encrypt', {
    data: {
      attributes: { node_path: bank.path, path: 'database', key: 'password', value: 'the password of the database' },
    },
  })
  const first = await run(80)
  await open('/approvals', 'bob')
  const cardOf = ({ id }: { id: string }) =>
    page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${id}"]`) })
  await expect(cardOf(first)).toContainText(/the last success|no earlier success/)
  await approve(bank, first.id)

  const second = await run(443)
  const { commit_sha: commit, plan_sha: plan } = second.attributes
  const what = ['9 steps', 'version 1.0', commit!.slice(0, 8), plan!.slice(0, 8)]
  for (const text of [...what, '1 property differs from the last success:', 'web.port', '80', '443'])
    await expect(cardOf(second)).toContainText(text)
  await expectGoodEverywhere(page, () => expect(cardOf(second)).toContainText('web.port'))
  await cardOf(second).getByRole('button', { name: 'Approve…' }).click()
  const dialog = page.getByRole('dialog')
  for (const text of [...what, 'web.port', '80', '443']) await expect(dialog).toContainText(text)
  await expectGoodEverywhere(page, () => expect(dialog).toContainText('web.port'))
  await expect(dialog.getByRole('link', { name: 'last success' })).toHaveAttribute('href', `/activities/${first.id}`)
  await open(`/activities/${second.id}?tab=details`, 'bob')
  const changed = page.getByRole('region', { name: 'Changed properties' })
  await expect(changed).toContainText('web.port')
  await expectGoodEverywhere(page, () => expect(changed).toContainText('443'))
  await bank.as('ann').remove(`/api/changes/${second.id}`)
})

async function approve(bank: TestBank, changeId: string): Promise<void> {
  const waiting = await bank.as('bob').list<{ activity_id: string }>('/api/waiting_steps')
  const step = waiting.find(({ attributes }) => attributes.activity_id === changeId)!
  await bank.as('bob').create(`/api/steps/${step.id}/approve`, {})
  await bank.reaches(changeId, 'success')
}

test('who may not read the properties of a node sees none of them, but may approve', async ({ page, open, bank }) => {
  const change = await bank.change('rollout')
  await bank.reaches(change.id, 'waiting_for_approval')
  await page.route('**/property_changes', route =>
    route.fulfill({
      status: 403,
      contentType: 'application/vnd.api+json',
      body: JSON.stringify({ errors: [{ status: '403', code: 'forbidden', title: 'Forbidden', detail: 'No.' }] }),
    }),
  )
  await open('/approvals', 'bob')
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${change.id}"]`) })
  await expect(card).toContainText('You may not read the properties of this node.')
  await expect(card.getByRole('button', { name: 'Approve…' })).toBeEnabled()
  await bank.as('ann').remove(`/api/changes/${change.id}`)
})

test('a wait appears live, and who may not decide it sees no button', async ({ page, open, bank }) => {
  await open('/approvals', 'bob')
  await expect(page.getByRole('heading', { name: 'Approvals', level: 1 })).toBeVisible()
  const change = await bank.change('pause-for', { asset: 'back' })
  await bank.reaches(change.id, 'waiting')
  await page.getByRole('link', { name: 'All waiting' }).click()
  await expect(page.locator('main nav [aria-current]')).toHaveText(['All waiting'])
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${change.id}"]`) })
  await expect(card).toContainText('Look at the dashboard')
  await expect(card.getByRole('button')).toHaveCount(0)
  await bank.as('ann').remove(`/api/changes/${change.id}`)
  await expect(card).toBeHidden()
})

test('the inbox and its dialog are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const change = await bank.change('choose')
  await bank.reaches(change.id, 'waiting')
  await open('/approvals')
  await expectGoodEverywhere(page, () =>
    expect(page.getByText('There is no earlier success to compare the properties with.').first()).toBeVisible(),
  )
  // A decision is made on the card that has the focus, or on none.
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Continue' })).toBeVisible()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog')).toBeVisible())
  await page.keyboard.press('Escape')
  for (const view of ['All waiting', 'Decided by me']) {
    await page.getByRole('link', { name: view }).click()
    await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: view })).toBeVisible())
  }
  await bank.as('ann').remove(`/api/changes/${change.id}`)
})
