import { DescribeKeyCommand } from '@aws-sdk/client-kms'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { timeBetweenAttempts } from '../../support/timeBetweenAttempts.ts'
import { CUSTOMER_KEY, useKms } from './kmsTestBed.ts'

const kms = useKms()
const describeKey = () => new DescribeKeyCommand({ KeyId: CUSTOMER_KEY })

afterEach(() => kms.server().reset())

describe('KMS faults', () => {
  describe('Given KMS is unavailable', () => {
    it('gives up an attempt after three seconds and makes the next when no answer comes', async () => {
      const took = await timeBetweenAttempts(async (endpoint, abortSignal) => {
        const client = createKmsClient({ endpoint, region: 'us-east-1' })
        return client.send(describeKey(), { abortSignal }).finally(() => client.destroy())
      })
      expect(took).toBeGreaterThan(2900)
      expect(took).toBeLessThan(4500)
    })
  })
})
