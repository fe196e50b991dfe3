import type { Page } from '@playwright/test'
import type { Asset, TemplateVersion, WorkflowVersion } from '#client/generated/api.ts'
import { type Resource, type Sluice, until } from '#client/sluice.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

// Two people at once: ann in the browser, and an administrator by the API.
test.use({ ownProject: true })

const dialog = (page: Page) => page.getByRole('dialog')
const notice = (page: Page) => dialog(page).getByRole('alert')

const versionPath = ({ path }: TestBank, version: string) => `/api${path}/templates/web/versions/${version}`

/** Version of the template `web` at a revision, once it is ready. */
async function readyVersion(bank: TestBank, version: string, git_rev: string): Promise<Resource<TemplateVersion>> {
  const admin = bank.as('admin')
  const path = versionPath(bank, version)
  await admin.put(path, { git_rev })
  return until(
    `version ${version} is ready`,
    () => admin.show<TemplateVersion>(path),
    ({ attributes }) => attributes.state === 'ready',
  )
}

/** Asset with version 1.0, for one test. */
async function newAsset(bank: TestBank, code: string): Promise<string> {
  const attributes = { code, name: code, template_code: 'web', template_version: '1.0' }
  await bank.as('admin').create(`/api${bank.path}/environments/test/assets`, attributes)
  return `${bank.path}/environments/test/assets/${code}`
}

const versionOf = async (api: Sluice, path: string) =>
  (await api.show<Asset>(`/api${path}`)).attributes.template_version

/** Waits until the page has read a record of the API, and does what makes it read. */
async function whileReading(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const read = page.waitForResponse(each => new URL(each.url()).pathname === path && each.request().method() === 'GET')
  await act()
  await read
}

test('a new template version does not replace one that is there, unless what is replaced was shown', async ({
  page,
  open,
  bank,
}) => {
  const admin = bank.as('admin')
  const path = versionPath(bank, 'release')
  const version = async () => (await admin.show<TemplateVersion>(path)).attributes
  await open(`/templates/${bank.code}/web`)
  await page.getByRole('button', { name: 'New version…' }).click()
  await dialog(page).getByLabel('Version', { exact: true }).fill('release')
  await readyVersion(bank, 'release', 'next')
  await dialog(page).getByRole('button', { name: 'Create and fetch' }).click()
  await expect(notice(page)).toContainText('Version release exists already')
  await expect(notice(page)).toContainText('next · ')
  await expect(notice(page)).toContainText('created by admin')
  await expect(notice(page)).toContainText('it then comes from main instead of next')
  expect((await version()).git_rev).toBe('next')
  await expectGoodEverywhere(page, () => expect(notice(page)).toBeVisible())

  // Another name is another version.
  await dialog(page).getByLabel('Version', { exact: true }).fill('release-2')
  await expect(notice(page)).toBeHidden()
  await expect(dialog(page).getByRole('button', { name: 'Create and fetch' })).toBeVisible()
  await dialog(page).getByLabel('Version', { exact: true }).fill('release')

  // It is changed once more between the look and the click.
  await admin.put(path, { git_rev: 'next', locked: true })
  await dialog(page).getByRole('button', { name: 'Replace version release' }).click()
  await expect(notice(page)).toContainText('fixed')
  expect(await version()).toMatchObject({ git_rev: 'next', locked: true })
  await dialog(page).getByRole('button', { name: 'Replace version release' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await version()).toMatchObject({ git_rev: 'main', locked: false })
})

test('a version that assets use is fetched again or replaced only when they were named', async ({
  page,
  open,
  bank,
}) => {
  const admin = bank.as('admin')
  await readyVersion(bank, 'used', 'main')
  const asset = await newAsset(bank, 'user')
  await admin.update(`/api${asset}`, { template_version: 'used' })
  const before = (await admin.show<TemplateVersion>(versionPath(bank, 'used'))).attributes
  await open(`/templates/${bank.code}/web`)
  await page.getByRole('button', { name: 'Actions for version used' }).click()
  await page.getByRole('menuitem', { name: 'Fetch again' }).click()
  await expect(dialog(page)).toContainText('Fetch version used again?')
  await expect(dialog(page).getByRole('link')).toHaveText(`${bank.code}/test/user`)
  await expectGoodEverywhere(page, () => expect(dialog(page)).toBeVisible())
  expect((await admin.show<TemplateVersion>(versionPath(bank, 'used'))).attributes.updated_at).toBe(before.updated_at)
  await dialog(page).getByRole('button', { name: 'Fetch and move' }).click()
  await expect(page.getByText('Fetching used')).toBeVisible()
  await expect(dialog(page)).toBeHidden()

  await page.getByRole('button', { name: 'New version…' }).click()
  await dialog(page).getByLabel('Version', { exact: true }).fill('used')
  await dialog(page).getByLabel('Revision').fill('next')
  await dialog(page).getByRole('button', { name: 'Create and fetch' }).click()
  await dialog(page).getByRole('button', { name: 'Replace version used' }).click()
  await expect(dialog(page).getByRole('link')).toHaveText(`${bank.code}/test/user`)
  expect((await admin.show<TemplateVersion>(versionPath(bank, 'used'))).attributes.git_rev).toBe('main')
  await dialog(page).getByRole('button', { name: 'Replace used and move its users' }).click()
  await expect(dialog(page)).toBeHidden()
  expect((await admin.show<TemplateVersion>(versionPath(bank, 'used'))).attributes.git_rev).toBe('next')
})

test('an asset that somebody else has moved meanwhile is not moved', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  await readyVersion(bank, 'ahead', 'next')
  await readyVersion(bank, 'same', 'main')
  const asset = await newAsset(bank, 'shifted')
  await open(`${asset}?tab=versions`)
  await page.getByRole('button', { name: 'Move to version ahead…' }).click()
  await expect(dialog(page).getByText('1 commit of ahead')).toBeVisible()
  await admin.update(`/api${asset}`, { template_version: 'same' })
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await expect(notice(page)).toContainText('It has version same now. Nothing is moved yet')
  expect(await versionOf(admin, asset)).toBe('same')
  await expect(dialog(page)).toContainText('change from same to ahead')
  await expectGoodEverywhere(page, () => expect(dialog(page).getByText('1 commit of ahead')).toBeVisible())
  // What else was changed meanwhile is no reason to look again.
  await admin.update(`/api${asset}`, { description: 'Behind the house' })
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('Moved to version ahead')).toBeVisible()
  expect(await versionOf(admin, asset)).toBe('ahead')
})

test('an asset is not moved to a version that has got another commit meanwhile', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  await readyVersion(bank, 'early', 'main')
  await readyVersion(bank, 'floating', 'next')
  const asset = await newAsset(bank, 'still')
  await admin.update(`/api${asset}`, { template_version: 'early' })
  await open(`${asset}?tab=versions`)
  await page.getByRole('button', { name: 'Move to version floating…' }).click()
  await expect(dialog(page).getByText('1 commit of floating')).toBeVisible()
  await admin.put(versionPath(bank, 'floating'), { git_rev: 'main' })
  await until(
    'floating has the commit of main',
    () => Promise.all(['early', 'floating'].map(each => admin.show<TemplateVersion>(versionPath(bank, each)))),
    ([early, floating]) => early!.attributes.commit_sha === floating!.attributes.commit_sha,
  )
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await expect(notice(page)).toContainText(/This version is at commit [0-9a-f]{8} now. Nothing is moved yet/)
  expect(await versionOf(admin, asset)).toBe('early')
  await expect(dialog(page)).toContainText('Both versions have the same commit')
  await expectGoodEverywhere(page, () => expect(notice(page)).toBeVisible())
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('Moved to version floating')).toBeVisible()
  expect(await versionOf(admin, asset)).toBe('floating')
})

test('a form is saved over a record that has changed in other things only', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  await readyVersion(bank, 'beside', 'main')
  const asset = await newAsset(bank, 'named')
  await open(asset)
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await whileReading(page, `/api${asset}`, () => page.getByRole('menuitem', { name: 'Edit…' }).click())
  await admin.update(`/api${asset}`, { template_version: 'beside' })
  await dialog(page).getByLabel('Name').fill('Renamed')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
  const { attributes } = await admin.show<Asset>(`/api${asset}`)
  expect(attributes).toMatchObject({ name: 'Renamed', template_version: 'beside' })
})

test('an assignment shows what each asset gets, and moves only assets that are where they were shown', async ({
  page,
  open,
  bank,
}) => {
  const admin = bank.as('admin')
  await readyVersion(bank, 'first', 'main')
  await readyVersion(bank, 'second', 'next')
  const [one, two] = [await newAsset(bank, 'one'), await newAsset(bank, 'two')]
  await admin.update(`/api${one}`, { template_version: 'first' })
  await open(`/templates/${bank.code}/web`)
  await page.getByRole('button', { name: 'Actions for version second' }).click()
  await page.getByRole('menuitem', { name: 'Assign to assets…' }).click()
  const group = (version: string) => dialog(page).getByRole('region', { name: `From version ${version}` })
  await group('first')
    .getByRole('checkbox', { name: `${bank.code} / test / one` })
    .check()
  await group('1.0')
    .getByRole('checkbox', { name: `${bank.code} / test / two` })
    .check()
  for (const version of ['first', '1.0']) {
    await expect(group(version).getByText(`What changes from ${version} to second`)).toBeVisible()
    await expect(group(version).getByText(/^From commit [0-9a-f]{8} to [0-9a-f]{8}$/)).toBeVisible()
    const commits = group(version).getByRole('list', { name: '1 commit of second' }).getByRole('listitem')
    await expect(commits).toHaveText([/Listen on port 9090/])
    await expect(commits).toContainText(/[0-9a-f]{8} \S+/)
  }
  await expectGoodEverywhere(page, () => expect(group('first').getByText('1 commit of second')).toBeVisible())

  await admin.update(`/api${two}`, { template_version: 'first' })
  await dialog(page).getByRole('button', { name: 'Assign to 2 assets' }).click()
  await expect(notice(page)).toContainText(`${two} has version "first" now, not "1.0"`)
  await expect(notice(page)).toContainText('Nothing is assigned yet')
  expect([await versionOf(admin, one), await versionOf(admin, two)]).toEqual(['first', 'first'])
  await group('first')
    .getByRole('checkbox', { name: `${bank.code} / test / one` })
    .check()
  await group('first')
    .getByRole('checkbox', { name: `${bank.code} / test / two` })
    .check()

  // Meanwhile the version itself comes from another revision.
  await admin.put(versionPath(bank, 'second'), { git_rev: 'main' })
  await until(
    'second has the commit of main',
    () => Promise.all(['first', 'second'].map(each => admin.show<TemplateVersion>(versionPath(bank, each)))),
    ([first, second]) => first!.attributes.commit_sha === second!.attributes.commit_sha,
  )
  await dialog(page).getByRole('button', { name: 'Assign to 2 assets' }).click()
  await expect(notice(page)).toContainText('This version is at commit')
  expect([await versionOf(admin, one), await versionOf(admin, two)]).toEqual(['first', 'first'])
  await expect(group('first')).toContainText('Both versions have the same commit')
  await dialog(page).getByRole('button', { name: 'Assign to 2 assets' }).click()
  await expect(page.getByText('2 assets have version second now')).toBeVisible()
  expect([await versionOf(admin, one), await versionOf(admin, two)]).toEqual(['second', 'second'])
})

test('an old version of properties is restored only over the version that it was compared with', async ({
  page,
  open,
  bank,
}) => {
  const admin = bank.as('admin')
  const made = await admin.create(`/api${bank.path}/environments`, { code: 'kept', name: 'Kept' })
  const own = made.relationships?.['properties']?.links?.related ?? ''
  for (const port of [1, 2]) await admin.update(own, { data: { port } })
  await open(`${bank.path}/environments/kept?tab=properties&view=history&version=2`)
  await whileReading(page, own, () => page.getByRole('button', { name: 'Restore…' }).click())
  await expect(dialog(page).getByRole('button', { name: 'Save as version 4' })).toBeVisible()
  await admin.update(own, { data: { port: 3 } })
  await dialog(page).getByRole('button', { name: 'Save as version 4' }).click()
  await expect(notice(page)).toContainText('Version 4 was saved by admin. Nothing is saved yet')
  const stored = async () => (await admin.show<{ version: number; data: object }>(own)).attributes
  expect(await stored()).toMatchObject({ version: 4, data: { port: 3 } })
  await dialog(page).getByRole('button', { name: 'Save as version 5' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await stored()).toMatchObject({ version: 5, data: { port: 1 } })
})

test('an old version of a workflow replaces only the draft that was named', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const path = `/api${bank.path}/workflows/reused`
  const text = (comment: string) => `# ${comment}\nsteps:\n  - { type: wait, name: ready }\n`
  await ann.create(`/api${bank.path}/workflows`, {
    code: 'reused',
    name: 'reused',
    source_yaml: text('1'),
    draft: false,
  })
  await ann.update(path, { source_yaml: text('2'), draft: false })
  await open(`/workflows/${bank.code}/reused?tab=versions`)
  const reuse = page.getByRole('row').filter({ hasText: 'v1' }).getByRole('button', { name: 'Use as draft…' })
  await whileReading(page, `${path}/versions/2`, () => reuse.click())
  await expect(dialog(page)).toContainText('A new draft with its text is created')
  await bank.as('admin').update(path, { source_yaml: text('theirs') })
  await dialog(page).getByRole('button', { name: 'Use as draft' }).click()
  await expect(notice(page)).toContainText('v3 has been saved meanwhile. Nothing is replaced yet')
  await expect(dialog(page)).toContainText('The text of draft v3 is replaced.')
  const draft = async () => (await ann.show<WorkflowVersion>(`${path}/versions/3`)).attributes.source_yaml
  expect(await draft()).toBe(text('theirs'))
  await dialog(page).getByRole('button', { name: 'Use as draft' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await draft()).toBe(text('1'))
})

test('a saved view that was changed in another window is not replaced at once', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const view = { name: 'Mine of today', list: 'activities', query: 'mine=true', shared_with: 'private' }
  const { id } = await ann.create('/api/saved_views', view)
  const path = `/api/saved_views/${id}`
  const stored = async () => (await ann.show<typeof view>(path)).attributes
  await open(`/activities?mine=true&saved=${id}`)
  await expect(page.getByRole('button', { name: 'View: Mine of today' })).toBeVisible()
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeVisible()
  await ann.update(path, { query: 'status=%5B%22error%22%5D' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('has been changed in another window. Nothing is saved yet')).toBeVisible()
  expect((await stored()).query).toBe('status=%5B%22error%22%5D')

  // Its name was changed there as well; who shares it keeps that.
  await page.getByRole('button', { name: 'View: Mine of today' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  await ann.update(path, { name: 'Failed' })
  await dialog(page).getByLabel('Everyone can use it').check()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await stored()).toMatchObject({ name: 'Failed', shared_with: 'everyone' })
  await ann.remove(path)
})
