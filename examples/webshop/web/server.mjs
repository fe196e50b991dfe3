// The shop: serves the files of its release. `node server.mjs <replica> <file to write when it listens>`
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const [replica, readyFile] = process.argv.slice(2)
const { release, stage, port } = JSON.parse(readFileSync(join(folder, 'configuration.json'), 'utf8'))

const pages = {
  '/': () => ['text/html; charset=utf-8', readFileSync(join(folder, 'index.html'))],
  '/price-list.json': () => ['application/json', readFileSync(join(folder, 'price-list.json'))],
  '/health': () => [
    'application/json',
    `${JSON.stringify({ status: 'ok', release, stage, replica: Number(replica) })}\n`,
  ],
}

const server = createServer((request, response) => {
  const page = pages[request.url]
  const [type, body] = page ? page() : ['text/plain; charset=utf-8', 'There is no such page.\n']
  response.writeHead(page ? 200 : 404, { 'content-type': type }).end(body)
})

let wished = port
server.on('error', error => {
  if (error.code !== 'EADDRINUSE' || wished >= port + 100) throw error
  server.listen(++wished, '127.0.0.1')
})
server.on('listening', () => {
  const address = { replica: Number(replica), pid: process.pid, url: `http://127.0.0.1:${server.address().port}` }
  // Whoever sees the file sees all of it.
  writeFileSync(`${readyFile}.new`, `${JSON.stringify(address)}\n`)
  renameSync(`${readyFile}.new`, readyFile)
  console.log(`${stage}: release ${release}, replica ${replica} on ${address.url}`)
})
server.listen(wished, '127.0.0.1')

process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close(() => process.exit(0))
})
