import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DecryptCommand, EncryptCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import Stripe from 'stripe'
import * as z from 'zod'
import type { RecordedCall } from './messages.ts'

const { STRIPE_API_BASE = 'http://127.0.0.1', STRIPE_SECRET_KEY = '' } = process.env
const { hostname, port } = new URL(STRIPE_API_BASE)

// The SDKs as documented, without this service's settings.
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}))
const kms = new KMSClient({})
const stripe = new Stripe(STRIPE_SECRET_KEY, { host: hostname, port, protocol: 'http' })

/** Repeats a function's calls in sequence with only the SDKs: the floor of its processor time. */
export function bareCalls(calls: readonly RecordedCall[]): () => Promise<void> {
  const bare = calls.map(bareCall)
  return async () => {
    for (const call of bare) await call()
  }
}

function bareCall(call: RecordedCall): () => Promise<unknown> {
  switch (call.neighbor) {
    case 'AWS_ENDPOINT_URL_DYNAMODB':
      return onDynamoDb(call.operation, alwaysPassing(native(JSON.parse(call.body))))
    case 'AWS_ENDPOINT_URL_KMS':
      return onKms(call)
    case 'STRIPE_API_BASE':
      return onStripe(call)
  }
}

/** Not validated, because the same SDK has written it. Read in advance, so that a floor parses nothing when it is measured. */
function inputOf<Input>(given: unknown): Input {
  return z.custom<Input>().parse(given)
}

/** A call that is sent again and again with the input of the recorded call. */
function repeating<Input>(send: (input: Input) => Promise<unknown>): (given: unknown) => () => Promise<unknown> {
  return (given) => {
    const input = inputOf<Input>(given)
    return () => send(input)
  }
}

const dynamoDbCalls: Readonly<Record<string, ReturnType<typeof repeating>>> = {
  BatchGetItem: repeating((input: BatchGetCommand['input']) => documents.send(new BatchGetCommand(input))),
  TransactGetItems: repeating((input: TransactGetCommand['input']) => documents.send(new TransactGetCommand(input))),
  GetItem: repeating((input: GetCommand['input']) => documents.send(new GetCommand(input))),
  Query: repeating((input: QueryCommand['input']) => documents.send(new QueryCommand(input))),
  PutItem: repeating((input: PutCommand['input']) => documents.send(new PutCommand(input))),
  UpdateItem: repeating((input: UpdateCommand['input']) => documents.send(new UpdateCommand(input))),
  TransactWriteItems: repeating((input: TransactWriteCommand['input']) =>
    documents.send(new TransactWriteCommand(input)),
  ),
}

function onDynamoDb(operation: string, given: unknown): () => Promise<unknown> {
  const call = dynamoDbCalls[operation]
  if (call === undefined) throw new Error(`No bare call of ${operation}`)
  return call(given)
}

const kmsInput = z.looseObject({
  KeyId: z.string(),
  Message: z.base64().optional(),
  CiphertextBlob: z.base64().optional(),
  Plaintext: z.base64().optional(),
  EncryptionContext: z.record(z.string(), z.string()).optional(),
})

function onKms({ operation, body }: RecordedCall): () => Promise<unknown> {
  const { KeyId, Message, CiphertextBlob, Plaintext, EncryptionContext, ...rest } = kmsInput.parse(JSON.parse(body))
  const context = EncryptionContext && { EncryptionContext }
  const bytes = (base64 = '') => Buffer.from(base64, 'base64')
  switch (operation) {
    case 'Sign': {
      const { SigningAlgorithm, MessageType } = inputOf<SignCommand['input']>(rest)
      return () => kms.send(new SignCommand({ KeyId, SigningAlgorithm, MessageType, Message: bytes(Message) }))
    }
    case 'Decrypt':
      return () => kms.send(new DecryptCommand({ KeyId, ...context, CiphertextBlob: bytes(CiphertextBlob) }))
    case 'Encrypt':
      return () => kms.send(new EncryptCommand({ KeyId, ...context, Plaintext: bytes(Plaintext) }))
    default:
      throw new Error(`No bare call of ${operation}`)
  }
}

/** If the idempotency key is the same, the emulator repeats its answer. */
function onStripe({ method, path, body, idempotencyKey }: RecordedCall): () => Promise<unknown> {
  const [, id, query] = /^\/v1\/subscriptions\/(\w+)(?:\?(.*))?$/.exec(path) ?? []
  if (method === 'GET' && id !== undefined) {
    const expand = [...new URLSearchParams(query)].map(([, value]) => value)
    return () => stripe.subscriptions.retrieve(id, { expand })
  }
  const params = method === 'GET' ? undefined : Object.fromEntries(new URLSearchParams(body))
  return () => stripe.rawRequest(method, path, params, idempotencyKey === '' ? {} : { idempotencyKey })
}

const attributeValue = /^(S|N|B|BOOL|NULL|M|L|SS|NS|BS)$/

/** The same input with native values in place of attribute values. */
function native(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(native)
  if (typeof value !== 'object' || value === null) return value
  const [[type = '', held] = [], ...more] = Object.entries(value)
  if (more.length === 0 && attributeValue.test(type)) {
    return unmarshall(z.custom<Parameters<typeof unmarshall>[0]>().parse({ value: { [type]: held } })).value
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, native(member)]))
}

/** The same input with conditions that always pass, and the names and values that it uses. The SDK adds a new token each time. */
function alwaysPassing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(alwaysPassing)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'ClientRequestToken')
  return Object.fromEntries(
    members.map(([name, member]) => {
      const passing = `(${member}) OR attribute_exists(pk) OR attribute_not_exists(pk)`
      return [name, name === 'ConditionExpression' ? passing : alwaysPassing(member)]
    }),
  )
}
