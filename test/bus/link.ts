import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A link to a server on the loopback that can be cut, and held as a half-open one is: up, and nothing comes through. */
export class Link {
  readonly #pairs = new Set<readonly [near: Socket, far: Socket]>();
  readonly #server: Server;

  private constructor(port: number) {
    this.#server = createServer((near) => this.#join(near, connect(port, '127.0.0.1')));
  }

  static async to(port: number): Promise<Link> {
    const link = new Link(port);
    await new Promise<void>((done) => link.#server.listen(0, '127.0.0.1', done));
    return link;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const [near] of this.#pairs) near.destroy();
  }

  hold(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  release(): void {
    for (const [near, far] of this.#pairs) near.pipe(far).pipe(near);
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((done) => this.#server.close(done));
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
  }
}
