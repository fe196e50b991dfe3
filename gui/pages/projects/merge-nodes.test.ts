import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeSummary, Resource } from '../../api/records.ts'
import { type NodePages, withNews } from './merge-nodes.ts'

const node = (path: string, more: Partial<NodeSummary> = {}) =>
  ({ id: path, type: 'node_summary', attributes: { path, archived: false, ...more } }) as Resource<NodeSummary>
const pagesOf = (...pages: string[][]): NodePages => ({
  pages: pages.map((paths, at) => ({
    data: paths.map(path => node(path)),
    links: at < pages.length - 1 ? { next: 'more' } : {},
  })),
})
const cut = (list: NodePages): NodePages => ({
  pages: list.pages.map(page => ({ ...page, links: { next: 'more' } })),
})
const news = (...records: Resource<NodeSummary>[]) => new Map(records.map(each => [each.id, each]))
const paths = ({ pages }: NodePages) => pages.map(({ data }) => data.map(({ id }) => id))

test('a node that changed replaces itself in its page, and a new one is added', () => {
  const list = pagesOf(['/a', '/b'], ['/c'])
  const now = withNews(list, news(node('/c', { name: 'C' }), node('/d')), false)
  assert.deepEqual(paths(now), [['/a', '/b', '/d'], ['/c']])
  assert.equal(now.pages[1]!.data[0]!.attributes.name, 'C')
  assert.deepEqual(paths(list), [['/a', '/b'], ['/c']])
})

test('a destroyed node leaves the list, and an archived one does unless the list contains archived ones', () => {
  const list = pagesOf(['/a', '/b'])
  assert.deepEqual(paths(withNews(list, new Map([['/a', undefined]]), true)), [['/b']])
  const archived = news(node('/b', { archived: true }))
  assert.deepEqual(paths(withNews(list, archived, false)), [['/a']])
  assert.deepEqual(paths(withNews(list, archived, true)), [['/a', '/b']])
  assert.deepEqual(paths(withNews(withNews(list, archived, false), news(node('/b')), false)), [['/a', '/b']])
})

test('a new node behind the pages that were read comes with its page', () => {
  const list = cut(pagesOf(['/a', '/d']))
  assert.deepEqual(paths(withNews(list, news(node('/b'), node('/e')), false)), [['/a', '/d', '/b']])
  assert.deepEqual(paths(withNews({ pages: [] }, news(node('/b')), false)), [])
})
