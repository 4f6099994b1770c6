import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

export interface DeployedStageOptions {
  /** The stage's name. */
  readonly name: string
  /** The outputs of its data stack, without the role of its operators. */
  readonly outputs: Readonly<Record<string, string>>
  /** Who the credentials are; a session of IAM Identity Center if left out. */
  readonly caller?: string
  /** How long a session lasts, in milliseconds; an hour if left out. */
  readonly sessionMs?: number
  /** Whether STS refuses the role. */
  readonly refuses?: boolean
}

const account = '111122223333'
const signedIn = `arn:aws:sts::${account}:assumed-role/AWSReservedSSO_Support_1234567890abcdef/ada@example.com`

/**
 * What operators' commands find on AWS before they act: AWS's command line, which answers who the credentials are and the outputs of the data
 * stack, and STS, which lets them be the stage's operator (the answers of AWS's reference, AssumeRole).
 */
export async function deployedStage({
  name,
  outputs,
  caller = signedIn,
  sessionMs = 3_600_000,
  refuses,
}: DeployedStageOptions) {
  const roleArn = `arn:aws:iam::${account}:role/${name}-operator-us-east-1`
  const assumed: { roleArn: string; session: string; seconds: number }[] = []
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    response.setHeader('content-type', 'text/xml')
    if (refuses) {
      response.statusCode = 403
      response.end(refusal(`User: ${caller} is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`))
      return
    }
    assumed.push({
      roleArn: form.get('RoleArn') ?? '',
      session: form.get('RoleSessionName') ?? '',
      seconds: Number(form.get('DurationSeconds')),
    })
    response.end(session(assumed.length, new Date(Date.now() + sessionMs)))
  })
  const sts = await listenOnLoopback(server)
  const folder = mkdtempSync(join(tmpdir(), 'aws-'))
  const keys = { ...outputs, operatorRoleArn: roleArn }
  const listed = Object.entries(keys).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }))
  const program = `#!/bin/sh
case "$1 $2 $4" in
  "sts get-caller-identity json") printf %s '${JSON.stringify({ Account: account, Arn: caller })}' ;;
  "cloudformation describe-stacks ${name}-console-data") printf %s '${JSON.stringify(listed)}' ;;
  *) echo "ValidationError: Stack with id $4 does not exist" >&2; exit 254 ;;
esac
`
  writeFileSync(join(folder, 'aws'), program)
  chmodSync(join(folder, 'aws'), 0o755)
  return {
    roleArn,
    /** The sessions that were asked for, in order. The n-th has the access key `OPERATOR<n>`. */
    assumed,
    /** For the process that runs the command. */
    environment: {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      AWS_ENDPOINT_URL_STS: sts.url,
      AWS_ACCESS_KEY_ID: 'PERSON',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    async close() {
      await sts.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const session = (number: number, expires: Date) => `
<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
  <AccessKeyId>OPERATOR${number}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>
  <Expiration>${expires.toISOString()}</Expiration>
</Credentials></AssumeRoleResult></AssumeRoleResponse>`

const refusal = (message: string) => `
<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code>
  <Message>${message}</Message></Error></ErrorResponse>`
