import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setProperty } from './step.mjs'

const home = process.argv[2]
const replicas = readdirSync(home)
  .filter(name => /^replica-\d+\.json$/.test(name))
  .map(name => JSON.parse(readFileSync(join(home, name), 'utf8')))
  .sort((one, other) => one.replica - other.replica)

for (const { replica, pid, url } of replicas) console.log(`Replica ${replica} listens on ${url} (process ${pid})`)
setProperty('running', { replicas })
