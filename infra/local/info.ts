import * as z from 'zod'

const user = z.object({ id: z.string(), email: z.string(), username: z.string(), password: z.string() })

/** The answer of `GET /_local/info`: everything that a client of a running local stack needs. */
export const localInfo = z.object({
  base_url: z.string(),
  /** The `iss` of its tokens: `base_url`, unless `TOKEN_ISSUER` names another stack. */
  issuer: z.string(),
  webhook_url: z.string(),
  dynamodb_endpoint: z.string(),
  kms_endpoint: z.string(),
  kms: z.object({ customer_key_id: z.string(), token_key_id: z.string() }),
  stripe: z.object({
    api_base: z.string(),
    secret_key: z.string(),
    /** For Stripe.js, in a browser. */
    publishable_key: z.string(),
    webhook_secret: z.string(),
    previous_webhook_secret: z.string(),
  }),
  /** The SES endpoint, and the page that shows the mails. */
  mail: z.object({ endpoint: z.string(), page: z.string() }),
  /** The receiver of events, and the secret of its endpoint. */
  events: z.object({ url: z.string(), secret: z.string() }),
  /** The name server of TXT records, and the page that sets them. */
  dns: z.object({ server: z.string(), page: z.string() }),
  tables: z.object({ accounts: z.string(), billing: z.string(), audit_log: z.string(), events: z.string() }),
  demo: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    redirect_uri: z.string(),
    public_client_id: z.string(),
    device_client_id: z.string(),
    service_client_id: z.string(),
    service_client_secret: z.string(),
    owner: user,
    billing_admin: user,
    member: user,
    stranger: user,
    organization_id: z.string(),
    second_organization_id: z.string(),
    other_organization_id: z.string(),
  }),
})

export type LocalInfo = z.infer<typeof localInfo>
