import { KMSClient } from '@aws-sdk/client-kms'
import * as z from 'zod/mini'
import { readPublicKey } from './readPublicKey.ts'

const request = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResourceProperties: z.object({ KeyId: z.string().check(z.minLength(1)) }),
})

const kms = new KMSClient({})

/** What CDK's provider framework passes on to CloudFormation. */
export interface Answer {
  readonly PhysicalResourceId?: string
  readonly Data?: { readonly PublicKey: string }
}

/**
 * The custom resource `Custom::TokenPublicKey`: its attribute `PublicKey` is what the variable `TOKEN_PUBLIC_KEY` holds of key `KeyId`,
 * the key's id (the `kid` of its tokens) and base64 of its DER SubjectPublicKeyInfo with a colon between them. Its physical id is the
 * key's, so that another key replaces the resource. Deleting does nothing.
 * @throws what KMS throws, two minutes after it refused for the first time: the deployment fails with it.
 */
export async function handler(event: unknown): Promise<Answer> {
  const { RequestType, ResourceProperties } = request.parse(event)
  if (RequestType === 'Delete') return {}
  const { KeyId } = ResourceProperties
  const publicKey = await readPublicKey(kms, KeyId)
  const kid = KeyId.slice(KeyId.lastIndexOf('/') + 1)
  return { PhysicalResourceId: KeyId, Data: { PublicKey: `${kid}:${Buffer.from(publicKey).toString('base64')}` } }
}
