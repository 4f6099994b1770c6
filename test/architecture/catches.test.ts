import { relative } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Expression, Node } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isCatchClause,
  isFunctionDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

/**
 * Every place where a failure is caught, by file and enclosing function, numbered where a function has several, and the rule
 * that runs into it and says what becomes of the failure: a file under `test` and a title in it.
 */
const rows: Readonly<Record<string, readonly [file: string, title: string]>> = {}

const root = new URL('../../', import.meta.url).pathname
const api = new API({ cwd: root })
const program = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects()[0]?.program
const files = (program?.getSourceFileNames() ?? []).map((name) => relative(root, name))

afterAll(() => api.close())

function nodesOf(file: string): Node[] {
  const nodes: Node[] = []
  const walk = (node: Node): void => {
    nodes.push(node)
    node.forEachChild(walk)
  }
  const source = program?.getSourceFile(`${root}${file}`)
  if (source) walk(source)
  return nodes
}

function isCatchCall(node: Node): boolean {
  return isCallExpression(node) && isPropertyAccessExpression(node.expression) && node.expression.name.text === 'catch'
}

/** The innermost function with a name around a node, or else the constant that it is part of. */
function enclosing(node: Node | undefined, constant = ''): string {
  if (!node) return constant
  const named = isFunctionDeclaration(node) || isMethodDeclaration(node) || isVariableDeclaration(node)
  const name = named && node.name && isIdentifier(node.name) ? node.name.text : ''
  if (name !== '' && !isVariableDeclaration(node)) return name
  return enclosing(node.parent, name || constant)
}

function catchesOf(file: string): string[] {
  const places = nodesOf(file)
    .filter((node) => isCatchClause(node) || isCatchCall(node))
    .map((node) => `${file} ${enclosing(node)}`)
  return places.map((place, index) => {
    const number = places.slice(0, index + 1).filter((other) => other === place).length
    return number > 1 ? `${place} ${number}` : place
  })
}

/** The titles of a test file's rules, those of tables as they are written. */
function titlesOf(file: string): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!isCallExpression(node) || calls(node.expression) !== 'it') return []
    const [title] = node.arguments
    return title && (isStringLiteral(title) || isNoSubstitutionTemplateLiteral(title)) ? [title.text] : []
  })
}

/** The name at the beginning of `it(…)` and of `it.each(…)(…)`. */
function calls(callee: Expression): string {
  if (isIdentifier(callee)) return callee.text
  return isCallExpression(callee) || isPropertyAccessExpression(callee) ? calls(callee.expression) : ''
}

describe('Every place where a failure is caught', () => {
  it('has a row in the table, and every row has its place', () => {
    const places = files.filter((file) => /^(lib|functions)\//.test(file)).flatMap(catchesOf)
    expect(places.toSorted()).toEqual(Object.keys(rows).toSorted())
  })

  it('is run into by a rule that exists', () => {
    const missing = Object.entries(rows).filter(([, [file, title]]) => !titlesOf(`test/${file}`).includes(title))
    expect(missing).toEqual([])
  })
})
