import { properties } from './step.mjs'

const page = process.argv[2] ?? '/health'
const { replicas } = properties().running
if (replicas.length === 0) throw new Error('Nothing runs: the property running.replicas is empty')

for (const { replica, url } of replicas) {
  const answer = await fetch(url + page, { signal: AbortSignal.timeout(5_000) })
  const text = await answer.text()
  console.log(`Replica ${replica}: GET ${url}${page} answers ${answer.status} ${text.trim()}`)
  if (answer.status !== 200) process.exit(7)
  const { release } = JSON.parse(text)
  if (release !== Number(process.env.RELEASE)) {
    console.error(`Replica ${replica} runs release ${release}, not ${process.env.RELEASE}`)
    process.exit(1)
  }
}
