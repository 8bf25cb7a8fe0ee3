-- A database as version 4 of the embedded store left it.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE people (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT, account TEXT UNIQUE
    , shape TEXT) WITHOUT ROWID;
INSERT INTO people VALUES('dvgbk6nr2qa9ge8a','Ada',NULL,NULL,NULL);
INSERT INTO people VALUES('zu527btx93fhyu6m','Bo',NULL,NULL,NULL);
CREATE TABLE sessions (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id), id TEXT NOT NULL DEFAULT '', created INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0, agent TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
INSERT INTO sessions VALUES('185538fe69709948613fc7152685e4a1cac1f6a0c40f8fbfa34d7e699c6434c7','dvgbk6nr2qa9ge8a','z77ut5a3p7eb',1794881171,1794881171,'');
INSERT INTO sessions VALUES('f28fefa71e69f32d747b50cb813a0e852367b608fad4433335e7062257d0e7e9','zu527btx93fhyu6m','uf94kdf6p432',1794881171,1794881171,'');
CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, scenario TEXT NOT NULL, seats INTEGER NOT NULL,
        options TEXT NOT NULL, seed TEXT NOT NULL, head TEXT, stage TEXT NOT NULL, host TEXT NOT NULL,
        listed INTEGER NOT NULL, created INTEGER NOT NULL, touched INTEGER NOT NULL,
        waiting INTEGER NOT NULL, headline TEXT NOT NULL
    , version INTEGER NOT NULL DEFAULT 0, pace TEXT NOT NULL DEFAULT '', clocks TEXT, asked TEXT NOT NULL DEFAULT '', numbers TEXT NOT NULL DEFAULT '', chosen TEXT NOT NULL DEFAULT '', absence INTEGER NOT NULL DEFAULT 86400) WITHOUT ROWID;
INSERT INTO tables VALUES('3j3ipcrds7ez','connect-four','standard',2,'{}','103b0152e14c4f15f40588058038f1162c23c6e8967e80ab4f026706295e8a58',replace('outremer record 1\ngame connect-four\nrules 1\ndata none\nscenario standard\nseats 2\ncommitment 0654e325840d3d52a8847ca5d45fda4c68618ffadfdeb2b8978556a03853f937\nnonce 0 000000000000002a\nnonce 1 000000000000002a\nseed 103b0152e14c4f15f40588058038f1162c23c6e8967e80ab4f026706295e8a58\nsetup\n\n','\n',char(10)),'running','dvgbk6nr2qa9ge8a',1,1794881171,1794881171,2,'',6,'',NULL,'0 0 1','25655684169730 25655684169730','',86400);
INSERT INTO tables VALUES('3pi2ckadxqvx','tic-tac-toe','standard',2,'{}','e6df37038537b2d9dd44a89e1a99ec1c4ba8dfb22ec0647cac6b8121d6f757c4',replace('outremer record 1\ngame tic-tac-toe\nrules 1\ndata none\nscenario standard\nseats 2\ncommitment 79a61b63ac8cb66861f058dc0003f48cdb684c782472bf5b90939e125863f4fd\nnonce 0 000000000000002a\nnonce 1 000000000000002a\nseed e6df37038537b2d9dd44a89e1a99ec1c4ba8dfb22ec0647cac6b8121d6f757c4\nsetup\n\n','\n',char(10)),'over','dvgbk6nr2qa9ge8a',1,1794881171,1794881171,0,'Cross wins',9,'',NULL,'','40183101194246 40183101194245','',86400);
INSERT INTO tables VALUES('bi4b5cafrhma','ten-towns','standard',2,'{"gold":"5","open-tokens":"no"}','5892e49570f7502c546abdfccfd7eb1df45c1848b086c20b1a3f17605a554135',replace('outremer record 1\ngame ten-towns\nrules 1\ndata 1aa90279b1cb86bc\nscenario standard\nseats 2\noption gold 5\noption open-tokens no\ncommitment 4340be1aa76104cb5a6378c841f31658b4ceb72a5c67671611bb9c9b0451effc\nnonce 0 000000000000002a\nnonce 1 000000000000002a\nseed 5892e49570f7502c546abdfccfd7eb1df45c1848b086c20b1a3f17605a554135\nsetup ~ (1 feint) (1 feint)\n\n','\n',char(10)),'running','dvgbk6nr2qa9ge8a',0,1794881171,1794881171,2,'',7,'86400+60','{"pace":{"bank":86400,"each":60},"seats":[{"left":86400000,"stay":{"thought":110000,"runs":null,"chose":110000,"again":1794886281556}},{"left":86400000,"stay":{"thought":100000,"runs":1794886281556,"chose":100000,"again":1794886281556}}]}','','137603395289090 137603395289091','0 3',86400);
INSERT INTO tables VALUES('k8jf2tajxxkn','tic-tac-toe','standard',2,'{"house:analysis":"yes","house:hints":"yes"}','c0e9f14c8d161836efb539f9f375899dc12a0070ee70790c37418c308330c77a',replace('outremer record 1\ngame tic-tac-toe\nrules 1\ndata none\nscenario standard\nseats 2\ncommitment a1e48122cfc54a520f8000a38c942d780fef4f5877ce715590eedc24ad54820a\nseed c0e9f14c8d161836efb539f9f375899dc12a0070ee70790c37418c308330c77a\nbranched-at 3\nsetup\n\n','\n',char(10)),'running','dvgbk6nr2qa9ge8a',0,1794881171,1794881171,2,'',0,'',NULL,'','','',86400);
INSERT INTO tables VALUES('pzpr935egwgn','ten-towns','standard',2,'{"gold":"5","house:hints":"yes","open-tokens":"no"}','a0044a1b5a7d0a73cfaf32daaa719a501018e0ee8630c25aa4d6a52725984dda',replace('outremer record 1\ngame ten-towns\nrules 1\ndata 1aa90279b1cb86bc\nscenario standard\nseats 2\noption gold 5\noption open-tokens no\ncommitment 29b89acb16acdb64d369616c90a27968730a6edb0de02bbac7b28f6b4167e132\nnonce 0 000000000000002a\nnonce 1 000000000000002a\nseed a0044a1b5a7d0a73cfaf32daaa719a501018e0ee8630c25aa4d6a52725984dda\nsetup ~ (1 feint) (1 feint)\n\n','\n',char(10)),'running','dvgbk6nr2qa9ge8a',0,1794881171,1794881171,1,'',8,'604800+3600','{"pace":{"bank":604800,"each":3600},"seats":[{"left":603400000,"stay":{"began":0,"thought":0,"runs":1794886171556}},{"left":603400000,"stay":null}]}','','49709018972164 49709018972162','',7200);
INSERT INTO tables VALUES('wf5vvmk8p69j','tic-tac-toe','standard',2,'{}','8550cce8038fc240fe9a793cd13ba0faee9635b27450f306ab7b0b1de4f71222',NULL,'gathering','zu527btx93fhyu6m',0,1794881171,1794881171,0,'',1,'1800+60',NULL,'','','',86400);
CREATE TABLE seats (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, kind TEXT NOT NULL, person TEXT,
        name TEXT NOT NULL, link TEXT, nonce TEXT, stand_in TEXT, bot_since INTEGER, called_at INTEGER, PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
INSERT INTO seats VALUES('3j3ipcrds7ez',0,'person','dvgbk6nr2qa9ge8a','Ada',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('3j3ipcrds7ez',1,'person','zu527btx93fhyu6m','Bo',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('3pi2ckadxqvx',0,'person','dvgbk6nr2qa9ge8a','Ada',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('3pi2ckadxqvx',1,'person','zu527btx93fhyu6m','Bo',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('bi4b5cafrhma',0,'person','dvgbk6nr2qa9ge8a','Ada',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('bi4b5cafrhma',1,'person','zu527btx93fhyu6m','Bo',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('k8jf2tajxxkn',0,'person','dvgbk6nr2qa9ge8a','Ada',NULL,NULL,NULL,NULL,NULL);
INSERT INTO seats VALUES('k8jf2tajxxkn',1,'person','dvgbk6nr2qa9ge8a','Ada',NULL,NULL,NULL,NULL,NULL);
INSERT INTO seats VALUES('pzpr935egwgn',0,'person','dvgbk6nr2qa9ge8a','Ada',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('pzpr935egwgn',1,'person','zu527btx93fhyu6m','Bo',NULL,'000000000000002a',NULL,NULL,NULL);
INSERT INTO seats VALUES('wf5vvmk8p69j',0,'person','zu527btx93fhyu6m','Bo',NULL,NULL,NULL,NULL,NULL);
INSERT INTO seats VALUES('wf5vvmk8p69j',1,'invited',NULL,'','4cfde01a793888be0d79fecb04b16093820ad09d6336d4bd6e70c67a917678e3',NULL,NULL,NULL,NULL);
CREATE TABLE entries (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, number)
    ) WITHOUT ROWID;
INSERT INTO entries VALUES('3j3ipcrds7ez',1,'1 Red: a');
INSERT INTO entries VALUES('3pi2ckadxqvx',1,'1 Cross: a1');
INSERT INTO entries VALUES('3pi2ckadxqvx',2,'2 Nought: b1');
INSERT INTO entries VALUES('3pi2ckadxqvx',3,'3 Cross: a2');
INSERT INTO entries VALUES('3pi2ckadxqvx',4,'4 Nought: b2');
INSERT INTO entries VALUES('3pi2ckadxqvx',5,'5 Cross: a3');
INSERT INTO entries VALUES('k8jf2tajxxkn',1,'1 Cross: a1');
INSERT INTO entries VALUES('k8jf2tajxxkn',2,'2 Nought: b1');
INSERT INTO entries VALUES('k8jf2tajxxkn',3,'3 Cross: a2');
INSERT INTO entries VALUES('pzpr935egwgn',1,'1 Red: card 3');
INSERT INTO entries VALUES('pzpr935egwgn',2,'2 Blue: card 1');
CREATE TABLE drafts (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
INSERT INTO drafts VALUES('bi4b5cafrhma',0,'{"actions":["card 3"],"orders":[]}');
INSERT INTO drafts VALUES('pzpr935egwgn',0,'{"actions":["group Arden"],"orders":[]}');
INSERT INTO drafts VALUES('pzpr935egwgn',1,'{"actions":[],"orders":["fire whenever possible"]}');
CREATE TABLE done (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (tab, seat, key)
    ) WITHOUT ROWID;
INSERT INTO done VALUES('bi4b5cafrhma',1,'k1');
CREATE TABLE chat (
        number INTEGER PRIMARY KEY, tab TEXT NOT NULL REFERENCES tables(id), at INTEGER NOT NULL,
        name TEXT NOT NULL, seat INTEGER, readers INTEGER NOT NULL, text TEXT NOT NULL
    , person TEXT);
INSERT INTO chat VALUES(1,'pzpr935egwgn',1794881171,'Ada',0,0,'Well met','dvgbk6nr2qa9ge8a');
INSERT INTO chat VALUES(2,'pzpr935egwgn',1794881171,'Ada',0,1,'To myself','dvgbk6nr2qa9ge8a');
CREATE TABLE notes (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, person)
    ) WITHOUT ROWID;
INSERT INTO notes VALUES('pzpr935egwgn','dvgbk6nr2qa9ge8a','Hold Dunster');
INSERT INTO notes VALUES('pzpr935egwgn','dvgbk6nr2qa9ge8a/seen/0','2');
CREATE TABLE events (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, at INTEGER NOT NULL,
        what TEXT NOT NULL, PRIMARY KEY (tab, number)
    ) WITHOUT ROWID;
INSERT INTO events VALUES('3j3ipcrds7ez',1,1794881171,'{"kind":"sat-down","seat":1}');
INSERT INTO events VALUES('3pi2ckadxqvx',1,1794881171,'{"kind":"sat-down","seat":1}');
INSERT INTO events VALUES('bi4b5cafrhma',1,1794881171,'{"kind":"sat-down","seat":1}');
INSERT INTO events VALUES('pzpr935egwgn',1,1794881171,'{"kind":"sat-down","seat":1}');
INSERT INTO events VALUES('wf5vvmk8p69j',1,1794881171,'{"kind":"link-made","seat":1,"held":false}');
CREATE TABLE wishes (person TEXT PRIMARY KEY REFERENCES people(id), text TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO wishes VALUES('dvgbk6nr2qa9ge8a','{"webhook":"https://example.com/hook","mail":null,"push":[]}');
CREATE TABLE house (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO house VALUES('push key','tC7Yihp3AtRe2fsy8A8rJN382yupKQcahYEd1-PLom8');
CREATE TABLE resets (
        hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id), until INTEGER NOT NULL
    ) WITHOUT ROWID;
CREATE INDEX tables_by_stage ON tables (stage, touched);
CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;
CREATE INDEX chat_by_table ON chat (tab, number);
CREATE UNIQUE INDEX people_by_shape ON people (shape) WHERE shape IS NOT NULL;
CREATE INDEX sessions_by_person ON sessions (person);
CREATE INDEX tables_by_host ON tables (host);
CREATE INDEX chat_by_person ON chat (person) WHERE person IS NOT NULL;
PRAGMA user_version = 4;
COMMIT;
