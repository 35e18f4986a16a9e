/** The small HTTP side: JSON in and out, with the token that Django wants on every change. */

export class HttpProblem extends Error {
  readonly reason: string;
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
    this.reason = reason;
  }
}

/** What Django wants to see in a form, or in a header. */
export function token(): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
}

/**
 * Asks the server and gives its JSON answer (undefined for an empty one).
 * @throws HttpProblem with the server's stable reason, or `offline` when no answer came
 */
export async function ask<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      keepalive: method !== 'GET', // what is asked in leaving a page is asked all the same
      headers: {
        Accept: 'application/json',
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(method === 'GET' ? {} : { 'X-CSRFToken': token() }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  } catch {
    throw new HttpProblem(0, 'offline');
  }
  const text = await response.text();
  let answer: unknown;
  try {
    answer = text ? JSON.parse(text) : undefined;
  } catch {
    throw new HttpProblem(response.status, 'unavailable');
  }
  if (!response.ok) {
    const reason = (answer as { reason?: unknown } | undefined)?.reason;
    throw new HttpProblem(response.status, typeof reason === 'string' ? reason : 'unavailable');
  }
  return answer as Answer;
}
