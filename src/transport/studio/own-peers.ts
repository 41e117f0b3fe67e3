import type { Socket } from 'node:net';
import { refuseUpgrade, type Routes } from '../http/listener.ts';

/** Refuses every connection of another user of this computer, whatever it can prove. @param isOwn called once for each connection */
export function onlyOwnPeers(routes: Routes, isOwn: (socket: Socket) => Promise<boolean>): Routes {
  const verdicts = new WeakMap<Socket, Promise<boolean>>();
  const verdictOf = (socket: Socket): Promise<boolean> => {
    const verdict = verdicts.get(socket) ?? isOwn(socket);
    verdicts.set(socket, verdict);
    return verdict;
  };
  return {
    async request(request, response, path) {
      if (await verdictOf(request.socket)) return routes.request(request, response, path);
      response.writeHead(403, { Connection: 'close' }).end();
    },
    upgrade(request, socket, head, path) {
      verdictOf(request.socket).then(
        isOwned => (isOwned ? routes.upgrade(request, socket, head, path) : refuseUpgrade(socket, 403)),
        () => socket.destroy(),
      );
    },
  };
}
