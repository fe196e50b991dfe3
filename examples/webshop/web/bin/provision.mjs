import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { homeFolder, setProperty } from './step.mjs'

const kept = 3
const releases = join(homeFolder(), 'releases')
mkdirSync(releases, { recursive: true })

const number = Number(process.env.LAST_RELEASE) + 1
const folder = join(releases, String(number))
// Left by an attempt whose end was never heard of: this attempt makes it anew.
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const old of readdirSync(releases).map(Number)) {
  if (old <= number - kept) rmSync(join(releases, String(old)), { recursive: true, force: true })
}

console.log(`Release ${number} goes to ${folder}`)
setProperty('release', { number, folder })
