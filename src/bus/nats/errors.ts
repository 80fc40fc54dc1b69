import { ErrorCode, NatsError } from 'nats';
import { refused } from '../limits.ts';
import { BusError, type BusErrorCode, type WriteResult } from '../port.ts';

const WRONG_LAST_SEQUENCE = 10_071;
export const STREAM_NOT_FOUND = 10_059;
export const MESSAGE_NOT_FOUND = 10_037;

const CODES: Readonly<Record<string, BusErrorCode>> = {
  [ErrorCode.PermissionsViolation]: 'permission',
  [ErrorCode.AuthorizationViolation]: 'permission',
  [ErrorCode.NoResponders]: 'no-responders',
  [ErrorCode.Timeout]: 'timeout',
  [ErrorCode.ConnectionClosed]: 'unreachable',
  [ErrorCode.ConnectionDraining]: 'unreachable',
  [ErrorCode.ConnectionRefused]: 'unreachable',
  [ErrorCode.Disconnect]: 'unreachable',
};

/** @param what what was tried, such as "watch bucket x" */
export function busError(what: string, cause: unknown): BusError {
  if (cause instanceof BusError) return cause;
  if (apiCode(cause) === STREAM_NOT_FOUND) return new BusError('no-bucket', `cannot ${what}: it is not there`, { cause });
  const code = (cause instanceof NatsError && CODES[cause.code]) || 'failed';
  return new BusError(code, `cannot ${what}: ${reason(code, cause)}`, { cause });
}

function reason(code: BusErrorCode, cause: unknown): string {
  if (code === 'permission') return permission(cause as NatsError);
  if (code === 'no-responders') return 'nobody answers (is JetStream on, and may this account use it?)';
  if (code === 'timeout') return 'no answer in time';
  return (cause as Error).message;
}

function permission(cause: NatsError): string {
  const refused = cause.permissionContext;
  return refused === undefined ? 'not permitted' : `no permission for the ${refused.operation} of ${refused.subject}`;
}

/** What became of a write that was not acknowledged. Throws {@link BusError} `unreachable` where the connection was closed for good. */
export function outcomeOf(what: string, cause: unknown): WriteResult {
  if (apiCode(cause) === WRONG_LAST_SEQUENCE) return { done: false, because: 'other-revision', says: (cause as Error).message };
  const error = busError(what, cause);
  if (error.code === 'unreachable' && cause instanceof NatsError && cause.code !== ErrorCode.Disconnect) throw error;
  const isRefusal = apiCode(cause) !== undefined || error.code === 'permission' || isTooLarge(cause);
  return isRefusal ? refused(error.message) : { done: false, because: 'unknown', says: error.message };
}

export function apiCode(cause: unknown): number | undefined {
  return cause instanceof NatsError ? cause.api_error?.err_code : undefined;
}

export function isNobody(cause: unknown): boolean {
  return cause instanceof NatsError && cause.code === ErrorCode.NoResponders;
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof NatsError && cause.code === ErrorCode.MaxPayloadExceeded;
}
