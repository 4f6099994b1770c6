import { DescribeKeyCommand, EncryptCommand } from '@aws-sdk/client-kms'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { CUSTOMER_KEY, useKms, withKms } from './kmsTestBed.ts'

const kms = useKms()
const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=local' }
const post = (headers: Record<string, string>, body: string, path = '/') =>
  fetch(`${kms.server().endpoint}${path}`, { method: 'POST', headers, body })
const encrypt = () => kms.client().send(new EncryptCommand({ KeyId: CUSTOMER_KEY, Plaintext: Buffer.from('x') }))
const describeKey = () => new DescribeKeyCommand({ KeyId: CUSTOMER_KEY })

afterEach(() => kms.server().reset())

describe('KMS wire protocol', () => {
  it.each([
    ['no signature', { 'x-amz-target': 'TrentService.ListKeys' }, '{}', 'MissingAuthenticationTokenException'],
    ['an unknown operation', { ...signed, 'x-amz-target': 'TrentService.Nope' }, '{}', 'UnknownOperationException'],
    ['no operation', signed, '{}', 'UnknownOperationException'],
    ['broken JSON', { ...signed, 'x-amz-target': 'TrentService.ListKeys' }, '{', 'SerializationException'],
  ])('refuses %s with 400 and the name of the error', async (_, headers, body, type) => {
    const response = await post(headers, body)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.1')
    expect(await response.json()).toMatchObject({ __type: type })
  })
})

describe('KMS faults', () => {
  describe('Given a definite error for one operation', () => {
    it('answers it to that operation alone, as often as ordered', async () => {
      kms.server().fail({ operation: 'Encrypt', times: 2, error: { type: 'DisabledException', message: 'off' } })
      await expect(encrypt()).rejects.toMatchObject({ name: 'DisabledException', message: 'off' })
      await kms.client().send(describeKey())
      await expect(encrypt()).rejects.toMatchObject({ name: 'DisabledException' })
      await expect(encrypt()).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } })
    })
  })

  describe('Given KMS is unavailable', () => {
    it.each(['error', 'drop_before', 'drop_after'] as const)(
      'is survived by the SDK for two attempts and not for three (%s)',
      async (kind) => {
        kms.server().fail({ times: 2, kind })
        await expect(encrypt()).resolves.toMatchObject({ $metadata: { attempts: 3 } })
        kms.server().fail({ times: 3, kind })
        await expect(encrypt()).rejects.toMatchObject({ $metadata: { attempts: 3 } })
        expect(
          kms
            .server()
            .calls()
            .map(({ operation }) => operation),
        ).toEqual(Array(6).fill('Encrypt'))
      },
    )

    it('fails at once, without a hang, when nothing listens', async () => {
      const started = Date.now()
      const unused = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' }
      await expect(createKmsClient(unused).send(describeKey())).rejects.toThrow(/ECONNREFUSED/)
      expect(Date.now() - started).toBeLessThan(10_000)
    })
  })

  describe('Given the control path', () => {
    it('orders faults by POST, forgets them by DELETE and refuses a malformed order with 400', async () => {
      const order = JSON.stringify({ times: 1, after: 1, error: { type: 'NotFoundException', message: 'gone' } })
      expect((await post({}, order, '/_control/faults')).status).toBe(204)
      await encrypt()
      await expect(encrypt()).rejects.toMatchObject({ name: 'NotFoundException', message: 'gone' })
      await post({}, order, '/_control/faults')
      await fetch(`${kms.server().endpoint}/_control/faults`, { method: 'DELETE' })
      await encrypt()
      await encrypt()
      expect((await post({}, '{"times":0}', '/_control/faults')).status).toBe(400)
    })
  })

  it('can be ordered from the start', async () => {
    const fail = [{ times: 1, error: { type: 'DisabledException', message: '' } }]
    await withKms({ fail }, async (client) => {
      await expect(client.send(describeKey())).rejects.toMatchObject({ name: 'DisabledException' })
      await expect(client.send(describeKey())).resolves.toMatchObject({ KeyMetadata: { KeyId: CUSTOMER_KEY } })
    })
  })
})
