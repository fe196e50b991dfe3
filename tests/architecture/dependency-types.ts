import { dirname } from 'node:path'
import { parseSync } from '@swc/core'

/** Maximum number of dependencies that a function takes in one object. */
const mostMembers = 7

interface Syntax {
  readonly type: string
  readonly [key: string]: unknown
}

/** A declared type of a file. */
interface Declared {
  readonly file: string
  readonly name: string
  readonly syntax: Syntax
}

/** Declared types by name. */
type Declarations = ReadonlyMap<string, readonly Declared[]>

/**
 * Places that take more than `mostMembers` dependencies in one object, as `file: function or type takes type`. Types
 * of dependencies are named `…Parts`; `Pick`, `Omit` and intersections of them count by their members.
 *
 * @param sources text of each file by its path
 */
export function wholeParts(sources: ReadonlyMap<string, string>): string[] {
  const files = [...sources].map(([file, text]) => ({ file, syntax: parsed(text) }))
  const all = files.flatMap(({ file, syntax }) => declarationsIn(file, syntax))
  const declared = Map.groupBy(all, ({ name }) => name)
  return files.flatMap(({ file, syntax }) =>
    mentionsIn(syntax, [], type => membersOf(type, file, declared)).flatMap(({ type, members, within }) =>
      members.size > mostMembers && !isOfDoor(file, within)
        ? [`${file}: ${ownerOf(within)} takes ${members.size} of ${textOf(type)}`]
        : [],
    ),
  )
}

const parsed = (text: string) => parseSync(text, { syntax: 'typescript', target: 'es2024' }) as unknown as Syntax

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Direct parts of a syntax node. Elements of argument lists are wrapped in objects without a type. */
const childrenOf = (syntax: object): Syntax[] =>
  Object.values(syntax).flatMap(value => {
    if (isSyntax(value)) return [value]
    return typeof value === 'object' && value !== null ? childrenOf(value) : []
  })

const isDeclaration = ({ type }: Syntax) => type === 'TsInterfaceDeclaration' || type === 'TsTypeAliasDeclaration'

const declarationsIn = (file: string, syntax: Syntax): Declared[] =>
  isDeclaration(syntax)
    ? [{ file, name: nameOf(syntax), syntax }]
    : childrenOf(syntax).flatMap(each => declarationsIn(file, each))

/** Name that a node declares or refers to; empty if it has none. */
function nameOf({ id, identifier, key, typeName, expression, value }: Syntax): string {
  const named = id ?? identifier ?? key ?? typeName ?? expression
  if (isSyntax(named)) return nameOf(named)
  return typeof value === 'string' ? value : ''
}

/** Name of the function or type that a place is in. */
const ownerOf = (within: readonly Syntax[]): string =>
  nameOf(within.findLast(({ id, identifier }) => id ?? identifier) ?? within[0]!)

function textOf(type: Syntax): string {
  if (type.type === 'TsIntersectionType') return childrenOf(type).map(textOf).join(' & ')
  const [first] = argumentsOf(type)
  return first ? `${nameOf(type)}<${textOf(first)}>` : nameOf(type)
}

const argumentsOf = ({ typeParams, typeArguments }: Syntax): readonly Syntax[] =>
  childrenOf((typeParams ?? typeArguments ?? {}) as object)

/** Names of the members of a type of dependencies; undefined of any other type. */
function membersOf(type: Syntax, file: string, declared: Declarations): ReadonlySet<string> | undefined {
  const of = (each: Syntax) => membersOf(each, file, declared)
  if (type.type === 'TsParenthesizedType') return of(type['typeAnnotation'] as Syntax)
  if (type.type === 'TsIntersectionType') {
    const parts = childrenOf(type)
    const known = parts.map(each => of(each) ?? (parts.some(of) ? ownMembers(each) : undefined))
    return known.some(Boolean) ? new Set(known.flatMap(each => [...(each ?? [])])) : undefined
  }
  if (type.type !== 'TsTypeReference' && type.type !== 'TsExpressionWithTypeArguments') return undefined
  const name = nameOf(type)
  const [first, second] = argumentsOf(type)
  if (first && ['Pick', 'Omit', 'Partial', 'Readonly', 'Required'].includes(name)) {
    const whole = of(first)
    const keys = new Set(second && literalsIn(second))
    if (whole && name === 'Pick') return keys
    return whole && new Set([...whole].filter(each => !keys.has(each)))
  }
  if (!name.endsWith('Parts')) return undefined
  const nearest = nearestOf(name, file, declared)
  return nearest && membersDeclared(nearest, declared)
}

/** Declaration of a name: of the same file, else of the same folder, else of any. */
const nearestOf = (name: string, file: string, declared: Declarations): Declared | undefined => {
  const all = declared.get(name) ?? []
  return all.find(each => each.file === file) ?? all.find(each => dirname(each.file) === dirname(file)) ?? all[0]
}

function membersDeclared({ syntax, file }: Declared, declared: Declarations): ReadonlySet<string> {
  if (syntax.type === 'TsTypeAliasDeclaration') {
    const type = syntax['typeAnnotation'] as Syntax
    return membersOf(type, file, declared) ?? ownMembers(type)
  }
  const inherited = (syntax['extends'] as Syntax[]).flatMap(each => {
    const base = nearestOf(nameOf(each), file, declared)
    const members = membersOf(each, file, declared) ?? (base && membersDeclared(base, declared))
    return [...(members ?? literalsIn(each))]
  })
  return new Set([...inherited, ...ownMembers(syntax['body'] as Syntax)])
}

const ownMembers = (body: Syntax): ReadonlySet<string> =>
  new Set(childrenOf(body).flatMap(each => (/^Ts(Property|Method)Signature$/.test(each.type) ? [nameOf(each)] : [])))

const literalsIn = (type: Syntax): string[] =>
  type.type === 'StringLiteral' ? [String(type['value'])] : childrenOf(type).flatMap(literalsIn)

interface Mention {
  readonly type: Syntax
  readonly members: ReadonlySet<string>
  /** Nodes around it, outermost first. */
  readonly within: readonly Syntax[]
}

/**
 * Types of dependencies that a file mentions. One member alone, `Parts['member']`, is no mention, and a type that is
 * itself named `…Parts` is judged where it is mentioned.
 */
function mentionsIn(
  syntax: Syntax,
  within: readonly Syntax[],
  members: (type: Syntax) => ReadonlySet<string> | undefined,
): Mention[] {
  const own = members(syntax)
  if (own) return [{ type: syntax, members: own, within }]
  if (syntax.type === 'TsIndexedAccessType') return []
  const isParts = isDeclaration(syntax) && nameOf(syntax).endsWith('Parts')
  const inner = isParts ? childrenOf({ body: syntax['body'] }) : childrenOf(syntax)
  return inner.flatMap(each => mentionsIn(each, [...within, syntax], members))
}

/** Kinds of file whose exported functions list what a domain has. */
const listing = /\.(?:commands|jobs|live|resource|views?)\.ts$/

/** Whether a mention is a parameter of a domain door: an exported function of an index, or one that returns a list. */
function isOfDoor(file: string, within: readonly Syntax[]): boolean {
  const door = within.find(({ type }) => type === 'FunctionDeclaration' || type === 'ArrowFunctionExpression')
  const isExported = within[1]?.type === 'ExportDeclaration'
  if (!door || !isExported || within.includes(door['body'] as Syntax)) return false
  return file.endsWith('/index.ts') || (listing.test(file) && returnsList(door))
}

function returnsList({ returnType }: Syntax): boolean {
  const type = isSyntax(returnType) ? returnType['typeAnnotation'] : undefined
  return isSyntax(type) && (type.type === 'TsArrayType' || type.type === 'TsTypeOperator')
}
