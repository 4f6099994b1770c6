import { basename } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Node } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isCatchClause,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { ruleTags } from '../support/source/ruleTags.ts'
import { nameOf, openSourceTree } from '../support/source/sourceTree.ts'

const tree = openSourceTree(new URL('../../', import.meta.url).pathname, ['lib', 'functions'])
afterAll(() => tree.close())

function isCatchCall(node: Node): boolean {
  return isCallExpression(node) && isPropertyAccessExpression(node.expression) && node.expression.name.text === 'catch'
}

/** The innermost function with a name around a node, or else the constant that it is part of. */
function enclosing(node: Node | undefined, constant = ''): string {
  if (!node) return constant
  const name = isPropertyAssignment(node) ? '' : nameOf(node)
  if (name !== '' && !isVariableDeclaration(node)) return name
  return enclosing(node.parent, name || constant)
}

/** The ids of the places in a file where a failure is caught: `file.function`, numbered where a function has several. */
function catchesOf(file: string): string[] {
  const places = tree
    .nodesOf(file)
    .filter((node) => isCatchClause(node) || isCatchCall(node))
    .map((node) => `${basename(file, '.ts')}.${enclosing(node)}`)
  return places.map((place, index) => {
    const number = places.slice(0, index + 1).filter((other) => other === place).length
    return number > 1 ? `${place}#${number}` : place
  })
}

describe('Every place where a failure is caught', () => {
  const places = tree.files.flatMap(catchesOf)
  const tags = ruleTags('catch')

  it('has an id of its own', () => {
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  })

  // [asvs 16.5.4]
  it('is run into by a test that names it in a comment: // [catch readCart.readCart]', () => {
    expect(places.filter((place) => !tags.some(({ id }) => id === place))).toEqual([])
  })

  it('is the only thing that such a comment names', () => {
    expect(tags.filter(({ id, isAtTest }) => !places.includes(id) || !isAtTest)).toEqual([])
  })
})
