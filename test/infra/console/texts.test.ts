import { afterAll, describe, expect, it } from '@jest/globals'
import type { Node } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isIdentifier,
  isImportDeclaration,
  isJsxAttribute,
  isJsxText,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateExpression,
} from 'typescript/unstable/ast/is'
import { account as accountInGerman } from '../../../infra/console/src/texts/de/account.ts'
import { apiClients as apiClientsInGerman } from '../../../infra/console/src/texts/de/apiClients.ts'
import { domains as domainsInGerman } from '../../../infra/console/src/texts/de/domains.ts'
import { members as membersInGerman } from '../../../infra/console/src/texts/de/members.ts'
import { webhooks as webhooksInGerman } from '../../../infra/console/src/texts/de/webhooks.ts'
import { account as accountInEnglish } from '../../../infra/console/src/texts/en/account.ts'
import { apiClients as apiClientsInEnglish } from '../../../infra/console/src/texts/en/apiClients.ts'
import { domains as domainsInEnglish } from '../../../infra/console/src/texts/en/domains.ts'
import { members as membersInEnglish } from '../../../infra/console/src/texts/en/members.ts'
import { webhooks as webhooksInEnglish } from '../../../infra/console/src/texts/en/webhooks.ts'
import { nodesIn, openSourceTree } from '../../support/source/sourceTree.ts'
import { english, german } from './localization.ts'

const tree = openSourceTree(new URL('../../../infra/console/', import.meta.url).pathname)
afterAll(() => tree.close())

const files = tree.files.filter((file) => /^src\/.*\.tsx?$/.test(file) && !file.startsWith('src/texts/'))

/** Attributes that are not read by people. */
const technical =
  /^(className|type|role|id|htmlFor|kind|tone|name|icon|autoComplete|autoCapitalize|scope|target|rel|what|aria-(live|hidden|labelledby|controls|busy)|viewBox|d|rx|width|height|focusable|fill|page|preserveAspectRatio)$/
/** Names of brands, keys, headers and errors. */
const names = /^(Console|Visa|Mastercard|American Express|Discover|Diners Club|UnionPay|Enter|If-Match|PaymentError)$/

/** Where words are for programs: an error that no user sees, an address, the name under which an action is kept. */
function isForPrograms(node: Node): boolean {
  if (isImportDeclaration(node) || isNewExpression(node)) return true
  if (isJsxAttribute(node)) return technical.test(node.name.getText())
  return isCallExpression(node) && isIdentifier(node.expression) && /^use(StepUp|Edit)$/.test(node.expression.text)
}

function wordsIn(node: Node): string {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text.trim()
  if (!isTemplateExpression(node)) return ''
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…')
}

/** A sentence, or a word as it is written at the beginning of one. */
function isText(node: Node, words: string): boolean {
  if (words === '' || names.test(words)) return false
  if (isJsxText(node)) return /\p{L}/u.test(words)
  if (isJsxAttribute(node.parent)) return /\p{L}/u.test(words)
  return /^[A-Z][a-z]/.test(words) || (isTemplateExpression(node) && /[a-z]{2,} |… ?[a-z]{2,}| [a-z]{2,}/.test(words))
}

function textsIn(file: string): string[] {
  const all = tree.nodesOf(file)
  const exempt = new Set(all.filter(isForPrograms).flatMap(nodesIn))
  return all
    .filter((node) => !exempt.has(node) && isText(node, wordsIn(node)))
    .map((node) => `${file}: ${wordsIn(node)}`)
}

describe('The texts of the console', () => {
  it('are found in its sources, so that the rule below has something to hold', () => {
    expect(files.length).toBeGreaterThan(90)
    const names = tree.nodesOf('src/billing/cards/cardName.ts').map(wordsIn)
    expect(names).toContain('Mastercard')
  })

  it('are in its tables of texts alone', () => {
    expect(files.flatMap(textsIn)).toEqual([])
  })
})

/** Every text by the path of its key; a function's by its source without the places for its values. */
function entries(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value).replace(/^[^`]*|\$\{[^}]*\}/g, '')]]
  return Object.entries(Object(value)).flatMap(([key, inner]) => entries(inner, `${path}.${key}`))
}

describe('The German texts', () => {
  const ofParts = {
    account: accountInEnglish,
    apiClients: apiClientsInEnglish,
    domains: domainsInEnglish,
    members: membersInEnglish,
    webhooks: webhooksInEnglish,
  }
  const germanParts = {
    account: accountInGerman,
    apiClients: apiClientsInGerman,
    domains: domainsInGerman,
    members: membersInGerman,
    webhooks: webhooksInGerman,
  }
  const inEnglish = new Map(entries({ ...english.texts, ...ofParts }))
  const inGerman = entries({ ...german.texts, ...germanParts })

  it('have the keys of the English ones', () => {
    expect(inGerman.map(([key]) => key).toSorted()).toEqual([...inEnglish.keys()].toSorted())
  })

  it('are no English sentences', () => {
    const isSentence = (text: string) => /\p{L}{2,}\W+\p{L}{2,}/u.test(text)
    expect(inGerman.filter(([key, text]) => isSentence(text) && inEnglish.get(key) === text)).toEqual([])
  })

  it('say Sie, and have German quotation marks', () => {
    const unlike = inGerman.filter(([, text]) => /\b([Dd]u|[Dd]ir|[Dd]ich|[Dd]einen?)\b|[^„]*”|"/.test(text))
    expect(unlike).toEqual([])
  })
})
