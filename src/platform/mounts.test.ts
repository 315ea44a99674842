import { expect, test } from "bun:test";
import { fileSystemOf, readMountInfo, readMounts } from "./mounts.ts";

const linux = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:44 / /mnt/nas rw,relatime shared:20 - nfs4 nas:/volume1 rw,vers=4.2
31 22 0:45 / /mnt/my\\040photos rw,relatime - cifs //nas/photos rw
32 30 8:2 / /mnt/nas/local rw,relatime shared:21 master:3 - xfs /dev/sdb1 rw
33 22 0:46 / /data rw,nosuid,nodev,relatime - fuse.sshfs ada@nas: rw
34 22 0:47 / /data rw,relatime - virtiofs host rw
`;
const macOS = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ada@nas._smb._tcp.local/my%20photos on /Volumes/my photos (smbfs, nodev, nosuid, mounted by ada)
nas:/volume1 on /private/nas (nfs)
`;

test.each([
  ["/srv/vitrine", "ext4"],
  ["/mnt/nas", "nfs4"],
  ["/mnt/nas/vitrine", "nfs4"],
  ["/mnt/nassau", "ext4"],
  ["/mnt/nas/local/vitrine", "xfs"],
  ["/mnt/my photos/vitrine", "cifs"],
  ["/data/vitrine", "virtiofs"],
])("on Linux, %s is on %s", (directory, kind) => {
  expect(fileSystemOf(directory, readMountInfo(linux))).toBe(kind);
});

test.each([
  ["/Users/ada/vitrine", "apfs"],
  ["/Volumes/my photos/vitrine", "smbfs"],
  ["/private/nas/vitrine", "nfs"],
])("on macOS, %s is on %s", (directory, kind) => {
  expect(fileSystemOf(directory, readMounts(macOS))).toBe(kind);
});
