import type pg from 'pg'
import { newInstallation, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * A list of 100 assets and the page of one, over HTTP with one client; against the same statement and the same document
 * made by hand, as anyone would write it who knew nothing of a grammar of lists.
 */
const assets = '/api/projects/bench/environments/bench/assets'
const rounds = 150

const statement = `
  select n.*, p.code as project_code, e.code as environment_code, t.code as template_code, v.version,
         (select d.id from properties d where d.owner_id = n.id) as properties,
         (select d.id from settings d where d.owner_id = n.id) as settings
    from nodes n
    join nodes p on p.id = n.project_id
    join nodes e on e.id = n.environment_id
    left join node_template_versions h on h.node_id = n.id and h.active_to is null
    left join templates t on t.id = h.template_id
    left join template_versions v on v.id = h.template_version_id
   where n.node_type = 'asset' and n.destroyed_at is null
   order by n.created_at, n.id
   limit $1`

const installation = await newInstallation({ actions: "actions: { one: { run: 'true' } }" })
try {
  const { sluice, ownerUrl } = installation
  for (let made = 1; made < 100; made++) {
    const code = `asset-${made}`
    await sluice.create(assets, { code, name: code, template_code: 'bench', template_version: '1.0' })
  }
  const list = () => sluice.list(assets, { limit: 100 })
  const show = () => sluice.show(`${assets}/asset-50`)
  if ((await list()).length !== 100) throw new Error('the list does not hold 100 assets')
  await withClient(ownerUrl, async client => {
    // As autovacuum does within a minute: the first plans were made for tables that held nothing.
    await client.query('analyze')
    const times = { list: [] as number[], show: [] as number[], bareList: [] as number[], bareShow: [] as number[] }
    const bareHttp: number[] = []
    for (let round = 0; round < rounds; round++) {
      times.list.push(await timed(list))
      times.bareList.push(await timed(() => byHand(client, 100)))
      times.show.push(await timed(show))
      times.bareShow.push(await timed(() => byHand(client, 1)))
      bareHttp.push(await timed(async () => (await fetch(`${sluice.url}/api/healthcheck`)).text()))
    }
    const [listed, shown] = [warm(times.list), warm(times.show)]
    const [bareList, bareShow, http] = [warm(times.bareList), warm(times.bareShow), warm(bareHttp)]
    await print({
      bench: 'lists',
      figures: { 'list of 100 assets, ms': listed, 'show of one, ms': shown },
      floors: {
        'the same rows and document by hand, ms': bareList,
        'of one, ms': bareShow,
        'a request that asks nothing, ms': http,
      },
      targets: {
        'list, by hand and the bare request': { value: listed.p50 / (bareList.p50 + http.p50), atMost: 1.5 },
        'show, by hand and the bare request': { value: shown.p50 / (bareShow.p50 + http.p50), atMost: 1.5 },
        'list, ms': { value: listed.p50, atMost: 6 },
        'show, ms': { value: shown.p50, atMost: 6 },
      },
      databaseUrl: ownerUrl,
    })
  })
} finally {
  await installation.remove()
}

/** Without the first rounds, in which everything is compiled and planned. */
function warm(times: readonly number[]) {
  return spreadOf(times.slice(20))
}

async function byHand(client: pg.Client, limit: number): Promise<unknown> {
  const { rows } = await client.query({ name: 'by hand', text: statement, values: [limit] })
  const data = rows.map(({ id, properties, settings, ...attributes }) => ({
    type: 'asset',
    id,
    attributes,
    relationships: {
      properties: { data: { type: 'properties', id: properties } },
      settings: { data: { type: 'settings', id: settings } },
    },
  }))
  return JSON.parse(JSON.stringify({ data }))
}
