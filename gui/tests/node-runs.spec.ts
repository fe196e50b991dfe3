import { expect, expectGoodEverywhere, test } from './fixtures.ts'

for (const [what, path] of [
  ['a project', '/projects/bank'],
  ['an environment', '/projects/bank/environments/test'],
] as const)
  test(`an action of a Git remote runs on ${what} from its page, at first without a plan`, async ({
    page,
    open,
    bank,
  }) => {
    // A branch of its own: what it stands for has not been read before.
    await open(`${path}?tab=actions`)
    await expect(page.getByText('Actions of this node come from a Git remote of the project')).toBeVisible()
    await page.getByRole('button', { name: 'Run…' }).first().click()
    await expect(page).toHaveURL(/run=/)
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('paragraph').filter({ hasText: 'Choose an action to see its plan.' })).toBeVisible()
    await sheet.getByLabel('Git remote').selectOption('code')
    await sheet.getByLabel('Revision').fill('no-such-branch')
    await sheet.getByRole('textbox', { name: 'Action' }).fill('announce')
    await expect(
      sheet
        .getByRole('alert')
        .or(sheet.getByRole('button', { name: 'Run without a plan' }))
        .first(),
    ).toBeVisible()
    await sheet.getByLabel('Revision').fill('main')
    await expect(
      sheet.getByText(`sluice changes create ${path} announce git_remote_name=code git_rev=main`),
    ).toBeVisible()
    const steps = sheet.getByRole('tree', { name: 'Steps of the plan' })
    await expect(steps.or(sheet.getByRole('button', { name: 'Run without a plan' })).first()).toBeVisible()
    await sheet.getByRole('button', { name: /^Run (now|without a plan)$/ }).click()
    await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
    const change = await bank.reaches(page.url().slice(-36), 'success')
    expect(change.attributes).toMatchObject({ action: 'announce', node_path: path, git_rev: 'main' })

    // Now its commit and its actions are known.
    await page.goto(`${path}?run=announce`)
    await sheet.getByLabel('Git remote').selectOption('code')
    await sheet.getByLabel('Revision').fill('main')
    await expect(steps.getByRole('treeitem', { name: /announce/ })).toBeVisible()
    await expectGoodEverywhere(page, () => expect(steps).toBeVisible())
    await sheet.getByRole('button', { name: 'Run now' }).click()
    await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
    const planned = await bank.reaches(page.url().slice(-36), 'success')
    expect(planned.attributes.plan_sha).not.toBeNull()
  })

test('a model is generated from its page, which shows its data and offers its actions; errors are shown', async ({
  page,
  open,
  bank,
}) => {
  const admin = bank.as('admin')
  const template = { code: 'cluster', name: 'Cluster', template_type: 'asset', git_remote_name: 'code' }
  await admin.create('/api/projects/bank/templates', template)
  const version = '/api/projects/bank/templates/cluster/versions/1'
  await admin.put(version, { git_rev: 'main' })
  await expect.poll(async () => (await admin.show<{ state: string }>(version)).attributes.state).toBe('ready')
  const asset = { code: 'nodes', name: 'Nodes', template_code: 'cluster', template_version: '1' }
  await admin.create('/api/projects/bank/assets', asset)
  await open('/projects/bank/assets/nodes?tab=model')
  await expect(page.getByText('The model has not been generated yet.')).toBeVisible()
  const generate = page.getByRole('button', { name: 'Generate the model' })
  await generate.click()
  await expect(page.getByText('The model is up to date.')).toBeVisible()
  const data = page.getByRole('region', { name: 'Data of the model' })
  await expect(data).toContainText('"size": 2')
  await expect(generate).toBeVisible()
  await expectGoodEverywhere(page, () => expect(data).toBeVisible())
  await page.goto('/projects/bank/assets/nodes?tab=actions')
  await expect(page.getByText('restart_north')).toBeVisible()

  // A property that the model cannot be made of.
  const node = await admin.show('/api/projects/bank/assets/nodes')
  const { id } = node.relationships!['properties']!.data as { id: string }
  await admin.update(`/api/properties/${id}`, { data: { hosts: 7 } })
  await page.goto('/projects/bank/assets/nodes')
  await page.getByRole('link', { name: 'Model outdated' }).click()
  await expect(page.getByText('The properties have changed since the model was generated.')).toBeVisible()
  await generate.click()
  await expect(page.getByText('The last attempt to generate the model failed.')).toBeVisible()
  await expect(page.getByText(/not a function/).first()).toBeVisible()
  await open('/projects/bank/assets/nodes?tab=model', 'bob')
  await expect(generate).toHaveAttribute('aria-disabled', 'true')
})
